// Prints how many breaking changes libopenapi, the library of openapi-changes, finds between two documents; for judges.mjs.
//
//	go mod init libopenapi && go get github.com/pb33f/libopenapi@v0.42.3 && go build libopenapi.go
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/pb33f/libopenapi"
)

func read(path string) libopenapi.Document {
	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	document, err := libopenapi.NewDocument(data)
	if err != nil {
		log.Fatal(err)
	}
	return document
}

func main() {
	changes, err := libopenapi.CompareDocuments(read(os.Args[1]), read(os.Args[2]))
	if err != nil {
		log.Fatal(err)
	}
	if changes == nil {
		fmt.Println(0)
		return
	}
	fmt.Println(changes.TotalBreakingChanges())
}
