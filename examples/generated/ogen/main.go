// The administrative API on the code that ogen generates from the contract, with its users and banners in memory.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"example/api"

	"github.com/google/uuid"
	"github.com/ogen-go/ogen/middleware"
	"github.com/ogen-go/ogen/ogenerrors"
)

// keys maps each API key to whether it has permission to update users.
var keys = map[string]bool{"example-admin-key": true, "example-restricted-key": false}

type caller struct{}

type server struct {
	mu    sync.Mutex
	users map[int]api.CreateUserResponseSchema
}

func (s *server) HandleApiKey(ctx context.Context, _ api.OperationName, key api.ApiKey) (context.Context, error) {
	canUpdate, known := keys[key.APIKey]
	if !known {
		return nil, errors.New("unknown key")
	}
	return context.WithValue(ctx, caller{}, canUpdate), nil
}

func problem(name, message string) api.ErrorSchema {
	return api.ErrorSchema{ID: uuid.NewString(), Name: name, Message: message}
}

// fail responds to a request that was refused before it reached an operation.
func fail(_ context.Context, w http.ResponseWriter, _ *http.Request, err error) {
	status, name := http.StatusBadRequest, "ValidationError"
	if ogenerrors.ErrorCode(err) == http.StatusUnauthorized {
		status, name = http.StatusUnauthorized, "AuthenticationRequired"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(problem(name, err.Error()))
}

// inUTF8 refuses bytes that are not UTF-8: the generated decoder lets them pass.
func inUTF8(request middleware.Request, next middleware.Next) (middleware.Response, error) {
	if !utf8.Valid(request.RawBody) {
		return middleware.Response{}, errors.New("the body is not UTF-8")
	}
	return next(request)
}

func (s *server) UpdateUser(ctx context.Context, sent *api.UpdateUserSchema, params api.UpdateUserParams) (api.UpdateUserRes, error) {
	if ctx.Value(caller{}) != true {
		refused := api.UpdateUserForbidden(problem("NoAccessError", "This key lacks permission to update users."))
		return &refused, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	user, ok := s.users[params.ID]
	if !ok {
		refused := api.UpdateUserNotFound(problem("NotFoundError", "There is no such user."))
		return &refused, nil
	}
	role, isRoleSent := sent.RootRole.Get()
	if isRoleSent && !role.IsInt() {
		refused := api.UpdateUserBadRequest(problem("ValidationError", "rootRole must be the id of a role."))
		return &refused, nil
	}
	if name, isSent := sent.Name.Get(); isSent {
		user.Name.SetTo(name)
	}
	if email, isSent := sent.Email.Get(); isSent {
		user.Email.SetTo(email)
	}
	if isRoleSent {
		user.RootRole.SetTo(api.NewIntCreateUserResponseSchemaRootRole(role.Int))
	}
	s.users[params.ID] = user
	return &user, nil
}

func (s *server) ListBanners(context.Context) (api.ListBannersRes, error) {
	return &api.BannersSchema{Banners: []api.BannerSchema{}}, nil
}

func user(id int, username string, role int) api.CreateUserResponseSchema {
	return api.CreateUserResponseSchema{
		ID:        id,
		Name:      api.NewOptNilString(username),
		Email:     api.NewOptString(username + "@example.com"),
		Username:  api.NewOptNilString(username),
		RootRole:  api.NewOptCreateUserResponseSchemaRootRole(api.NewIntCreateUserResponseSchemaRootRole(role)),
		CreatedAt: api.NewOptDateTime(time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)),
	}
}

func main() {
	s := &server{users: map[int]api.CreateUserResponseSchema{4: user(4, "ann", 1), 5: user(5, "bob", 2)}}
	handler, err := api.NewServer(s, s, api.WithErrorHandler(fail), api.WithMiddleware(inUTF8))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "4242"), handler))
}
