module example

go 1.25.0

require (
	github.com/google/uuid v1.6.0
	github.com/ogen-go/ogen v1.25.0
)
