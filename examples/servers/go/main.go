// The administrative API on net/http, with its users and banners in memory.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/google/uuid"
)

type User struct {
	ID        int    `json:"id"`
	Name      string `json:"name"`
	Email     string `json:"email"`
	Username  string `json:"username"`
	RootRole  any    `json:"rootRole"`
	CreatedAt string `json:"createdAt"`
}

type Banner struct {
	ID        int    `json:"id"`
	Message   string `json:"message"`
	Enabled   bool   `json:"enabled"`
	CreatedAt string `json:"createdAt"`
}

var errorNames = map[int]string{
	http.StatusBadRequest:   "ValidationError",
	http.StatusUnauthorized: "AuthenticationRequired",
	http.StatusForbidden:    "NoAccessError",
	http.StatusNotFound:     "NotFoundError",
}

// keys maps each API key to whether it may update users.
var keys = map[string]bool{"example-admin-key": true, "example-restricted-key": false}

type server struct {
	mu      sync.Mutex
	users   map[int]User
	banners []Banner
}

func respond(w http.ResponseWriter, status int, body any) {
	// [header] Headers that are set after WriteHeader are not sent.
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)

	json.NewEncoder(w).Encode(body)
}

func fail(w http.ResponseWriter, status int, message string) {
	respond(w, status, map[string]string{"id": uuid.NewString(), "name": errorNames[status], "message": message})
}

func authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, known := keys[r.Header.Get("Authorization")]; !known {
			fail(w, http.StatusUnauthorized, "A valid API key is required.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// apply sets the members that a body sends, if all of them are valid.
func (u *User) apply(body []byte) error {
	// [body] A struct takes null for a member that is absent, and NAME for name. Bytes that are not UTF-8 are replaced.
	var sent map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &sent) != nil || sent == nil {
		return errors.New("the body must be a JSON object in UTF-8")
	}
	for member, target := range map[string]any{"name": &u.Name, "email": &u.Email, "rootRole": &u.RootRole} {
		value, ok := sent[member]
		if ok && (bytes.Equal(value, []byte("null")) || json.Unmarshal(value, target) != nil) {
			return errors.New("the type of " + member + " is wrong")
		}
	}

	// [role] Every JSON value fits into a variable of type any.
	_, isObject := u.RootRole.(map[string]any)
	if number, isNumber := u.RootRole.(float64); !isObject && (!isNumber || number != math.Trunc(number)) {
		return errors.New("rootRole must be an integer or an object")
	}

	return nil
}

func (s *server) updateUser(w http.ResponseWriter, r *http.Request) {
	if !keys[r.Header.Get("Authorization")] {
		fail(w, http.StatusForbidden, "This key cannot update users.")
		return
	}
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		fail(w, http.StatusBadRequest, "The user id must be an integer.")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		fail(w, http.StatusBadRequest, "The body cannot be read.")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	user, ok := s.users[id]
	if !ok {
		fail(w, http.StatusNotFound, "There is no such user.")
	} else if err := user.apply(body); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
	} else {
		s.users[id] = user
		respond(w, http.StatusOK, user)
	}
}

func (s *server) listBanners(w http.ResponseWriter, _ *http.Request) {
	respond(w, http.StatusOK, map[string][]Banner{"banners": s.banners})
}

func main() {
	joined := "2026-01-31T09:00:00Z"
	s := &server{
		users: map[int]User{
			4: {4, "Ann", "ann@example.com", "ann", 1.0, joined},
			5: {5, "Bob", "bob@example.com", "bob", 2.0, joined},
		},
		banners: []Banner{{1, "Welcome", true, "2026-02-28T12:00:00+01:00"}},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/admin/banners", s.listBanners)
	mux.HandleFunc("PUT /api/admin/user-admin/{id}", s.updateUser)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "4242"), authenticated(mux)))
}
