#!/usr/bin/env python3
"""A server for the two operations of source.md: user update and banner listing.

`Service` is the conforming behaviour, split into small methods.  Every fault and
every conforming variant is a subclass that overrides one or two of them;
the command line determines the class that is served:

    class Chosen(TheFault, Variant1, Variant2, ...)

`GET /_state` (no key, tests only) always responds with {"users": {...}},
whatever the fault or variant.
"""
import argparse
import ast
import copy
import datetime
import email.utils
import gzip
import hmac
import html
import json
import random
import re
import signal
import sys
import threading
import time
import urllib.parse
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROLES = {1: "Admin", 2: "Editor", 3: "Viewer"}
BODY_FIELDS = ("name", "email", "rootRole")
ADMIN, RESTRICTED = "admin", "restricted"
MAX_BODY = 10_000_000
SKIP = object()          # do not store this field


# --------------------------------------------------------------------- seed

def seed_users():
    return {
        1: {"id": 1, "isAPI": False, "name": "Ada Ångström", "email": "ada@example.com",
            "username": "ada", "imageUrl": "https://img.example.com/ada.png",
            "inviteLink": "https://app.example.com/invite/4f1c", "loginAttempts": 3,
            "emailSent": True, "rootRole": 1, "seenAt": "2024-05-02T07:45:10.000Z",
            "createdAt": "2023-01-15T09:30:00.000Z", "accountType": "User",
            "permissions": ["ADMIN"], "scimId": "scim-ada-1"},
        2: {"id": 2, "isAPI": False, "name": "Bob Brown", "email": "bob@example.com",
            "username": "bob", "imageUrl": "https://img.example.com/bob.png",
            "inviteLink": "https://app.example.com/invite/9a2e", "loginAttempts": 1,
            "emailSent": True, "rootRole": 2, "seenAt": "2024-05-01T16:20:00.500Z",
            "createdAt": "2023-06-20T12:00:00.000Z", "accountType": "User",
            "permissions": ["CREATE_FEATURE", "UPDATE_FEATURE"], "scimId": "scim-bob-2"},
        # a sparse user: nullable fields are null, several optional fields are absent
        3: {"id": 3, "isAPI": False, "name": "Carol Clark", "email": "carol@example.com",
            "username": None, "loginAttempts": 0, "emailSent": False, "rootRole": 3,
            "seenAt": None, "createdAt": "2024-02-29T23:59:59.000Z", "accountType": "User"},
    }


def seed_banners():
    return [
        {"id": 1, "message": "**Maintenance** on Sunday – see details", "enabled": True,
         "variant": "warning", "sticky": True, "icon": "warning", "link": "dialog",
         "linkText": "Details", "dialogTitle": "Maintenance", "dialog": "We are *down* 02:00-03:00.",
         "createdAt": "2024-03-01T10:15:30.000+00:00"},
        {"id": 2, "message": "New release", "enabled": False, "variant": "info", "sticky": False,
         "icon": "info", "link": "https://example.com/release", "linkText": "Read more",
         "dialogTitle": "", "dialog": "", "createdAt": "2024-03-02T08:00:00.000+02:00"},
        {"id": 3, "message": "Welcome", "enabled": True, "variant": "success", "sticky": False,
         "icon": "none", "link": "dialog", "linkText": "More", "dialogTitle": "Hello",
         "dialog": "# Hello", "createdAt": "2024-04-10T18:30:00.000-05:00"},
    ]


# ------------------------------------------------------------ small objects

class Request:
    def __init__(self, method, target, headers, body, connection):
        parts = urllib.parse.urlsplit(target)
        self.method, self.headers, self.body = method, headers, body
        self.connection = connection                      # a dict that lives as long as the connection
        self.query = urllib.parse.parse_qs(parts.query, keep_blank_values=True)
        self.segments = tuple(urllib.parse.unquote(s) for s in parts.path.split("/")[1:])


class Response:
    def __init__(self, status, body=b"", media="application/json", **flags):
        self.status, self.body = status, body
        self.headers = {"Content-Type": media} if media else {}
        self.chunked = self.close = self.lowercase = False
        self.__dict__.update(flags)


class Call:
    """One request and what the steps found out about it."""
    def __init__(self, request):
        self.request = request
        self.caller = self.id_text = self.user_id = self.user = self.before = None
        self.body, self.changes = {}, {}


class ApiError(Exception):
    def __init__(self, status, name, message, kind):
        super().__init__(message)
        self.status, self.name, self.message, self.kind = status, name, message, kind


def unauthenticated(kind):
    return ApiError(401, "AuthenticationRequired", "A valid API key is needed (%s)." % kind, kind)


def forbidden(message="You lack the permission for this operation.", kind="permission"):
    return ApiError(403, "NoAccessError", message, kind)


def invalid(message, kind="field"):
    return ApiError(400, "ValidationError", message, kind)


def not_found(message="No such user.", kind="user"):
    return ApiError(404, "NotFoundError", message, kind)


AUTH_KINDS = {"key missing", "key invalid"}
INVALID_KINDS = {"field", "malformed", "no body", "not an object", "bad id", "media type"}


def json_type(value):
    if value is None:
        return "null"
    if isinstance(value, bool):          # before int: a bool is not a number
        return "boolean"
    if isinstance(value, int) or isinstance(value, float) and value.is_integer():
        return "integer"                 # 2.0 is an integer in JSON
    if isinstance(value, float):
        return "fraction"
    return {str: "string", list: "array", dict: "object"}[type(value)]


def refuse_constant(text):
    raise ValueError("%s is not JSON" % text)


def finite(text):
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError("%s is out of range" % text)
    return number


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


# ------------------------------------------------- the conforming behaviour

class Service:
    http_version = "HTTP/1.1"
    user_path = ("api", "admin", "user-admin")
    banners_path = ("api", "admin", "banners")
    update_method, list_methods = "PUT", ("GET", "HEAD")
    # the steps of an update, in order; each may raise ApiError; none changes anything
    steps = ("authenticate", "authorize", "read_id", "check_media", "read_body", "validate", "find_user")

    def __init__(self, admin_key, restricted_key):
        self.admin_key, self.restricted_key = admin_key, restricted_key
        self.users, self.banners = seed_users(), seed_banners()
        self.lock = threading.RLock()

    # -- the frame

    def handle(self, request):
        call = Call(request)
        if request.segments == ("_state",):
            with self.lock:
                state = {"users": {str(k): v for k, v in self.users.items()}}
                return Response(200, json.dumps(state).encode())
        with self.lock:
            try:
                response = self.route(call)
            except ApiError as error:
                response = self.error_response(call, error)
            except Exception as error:                    # unexpected
                print("internal error: %r" % error, file=sys.stderr)
                response = self.error_response(call, ApiError(500, "InternalError", "Internal error.", "crash"))
        return self.finish(call, response)

    def finish(self, call, response):
        """Final change of every response (outside the lock)."""
        return response

    def route(self, call):
        method, segments = call.request.method, self.path_segments(call)
        if segments[:-1] == self.user_path and segments[-1]:
            call.id_text = segments[-1]
            if method != self.update_method:
                return self.method_not_allowed(call, self.update_method)
            return self.update_user(call)
        if segments == self.banners_path:
            if method not in self.list_methods:
                return self.method_not_allowed(call, ", ".join(self.list_methods))
            return self.list_banners(call)
        raise not_found("No such path.", "path")

    def path_segments(self, call):
        return call.request.segments

    def method_not_allowed(self, call, allow):
        error = ApiError(405, "MethodNotAllowed", "Method not allowed here.", "method")
        response = self.error_response(call, error)
        response.headers["Allow"] = allow
        return response

    # -- keys

    def presented_key(self, call):
        values = call.request.headers.get_all("Authorization") or []
        if len(values) > 1:
            raise unauthenticated("key invalid")
        return values[0].strip(" \t") if values else None

    def same(self, one, other):
        return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))

    def identify(self, call, key):
        """The caller that the key belongs to, or None.  `key` is None if there is no header."""
        if key is None:
            return None
        if self.same(key, self.admin_key):
            return ADMIN
        if self.same(key, self.restricted_key):
            return RESTRICTED
        return None

    def authenticate(self, call):
        key = self.presented_key(call)
        call.caller = self.identify(call, key)
        if call.caller is None:
            raise unauthenticated("key missing" if key is None else "key invalid")

    def authorize(self, call):
        if call.caller != ADMIN:
            raise forbidden()

    # -- the update

    def update_user(self, call):
        for step in self.steps:
            getattr(self, step)(call)
        self.apply(call)
        return self.user_response(call)

    def read_id(self, call):
        call.user_id = self.parse_id(call.id_text)

    def parse_id(self, text):
        if not re.fullmatch(r"-?(0|[1-9][0-9]*)", text, re.ASCII):
            raise invalid("The user id must be an integer.", "bad id")
        return int(text) if len(text) < 20 else -1        # no user has such a large id

    def check_media(self, call):
        media = call.request.headers.get("Content-Type")
        if media is not None and media.split(";")[0].strip().lower() != "application/json":
            raise invalid("The body must be application/json.", "media type")

    def read_body(self, call):
        raw = call.request.body
        if not raw.strip():
            call.body = self.missing_body(call)
            return
        try:
            value = self.parse_json(raw)
        except (ValueError, RecursionError):              # includes UnicodeDecodeError
            value = self.malformed_body(call)
        call.body = value if isinstance(value, dict) else self.body_not_object(call, value)

    def parse_json(self, raw):
        return json.loads(raw.decode("utf-8"), parse_float=finite, parse_constant=refuse_constant)

    def missing_body(self, call):
        raise invalid("A body is required.", "no body")

    def malformed_body(self, call):
        raise invalid("The body is not well-formed JSON.", "malformed")

    def body_not_object(self, call, value):
        raise invalid("The body must be an object.", "not an object")

    def validate(self, call):
        changes = {}
        for field in call.body:
            if field not in BODY_FIELDS:
                self.unknown_member(call, field)
                continue
            value = self.check_field(call, field, call.body[field])
            if value is not SKIP:
                changes[field] = value
        call.changes = changes

    def unknown_member(self, call, field):
        """Ignored."""

    def check_field(self, call, field, value):
        """Return the value to store, or SKIP, or raise an error."""
        if field == "rootRole":
            return self.check_role(call, value)
        if json_type(value) != "string":
            raise invalid("%s must be a string." % field)
        return value

    def check_role(self, call, value):
        if json_type(value) != "integer":
            raise invalid("rootRole must be the integer id of a role.")
        if value not in ROLES:
            return self.unknown_role(call, int(value))
        return int(value)

    def unknown_role(self, call, value):
        raise invalid("rootRole: no such role.")

    def find_user(self, call):
        call.user = self.users.get(call.user_id)
        if call.user is None:
            self.unknown_user(call)

    def unknown_user(self, call):
        raise not_found()

    def apply(self, call):
        call.before = copy.deepcopy(call.user)
        call.user.update(copy.deepcopy(call.changes))

    def update_anyway(self, call):
        """For faults: carry out an update that must be refused."""
        try:
            for step in ("read_id", "check_media", "read_body", "validate", "find_user"):
                getattr(self, step)(call)
            self.apply(call)
        except ApiError:
            pass

    # -- responses

    def user_response(self, call):
        return self.json_response(200, self.show_user(call))

    def show_user(self, call):
        return copy.deepcopy(call.user)

    def list_banners(self, call):
        self.authenticate(call)
        return self.banners_response(call)

    def banners_response(self, call):
        return self.json_response(200, self.show_banners(call))

    def show_banners(self, call):
        return {"banners": copy.deepcopy(self.banners)}

    def error_response(self, call, error):
        return self.json_response(error.status, self.show_error(error))

    def show_error(self, error):
        return {"id": str(uuid.uuid4()), "name": error.name, "message": error.message}

    def json_response(self, status, document):
        return Response(status, self.encode(document))

    def encode(self, document):
        return json.dumps(document).encode("ascii")


# ------------------------------------------------------------- registration

class Entry:
    def __init__(self, cls, what, breaks, arguable):
        self.cls, self.what, self.breaks, self.arguable = cls, what, breaks, arguable


FAULTS, VARIANTS = {}, {}


def fault(name, what, breaks, arguable=""):
    """Register a class as a fault.  `breaks` is a verbatim sentence or table row of source.md."""
    assert name not in FAULTS, name
    def register(cls):
        FAULTS[name] = Entry(cls, what, breaks, arguable)
        return cls
    return register


def variant(name, what, arguable=""):
    assert name not in VARIANTS, name
    def register(cls):
        VARIANTS[name] = Entry(cls, what, "", arguable)
        return cls
    return register


# ---------------------------------------- quotes from the source, verbatim

S_PARTIAL = "Only the fields that are sent change."
S_RULE = "only fields that are present in the body are updated; the others keep their values."
S_OPTIONAL_EMAIL = "| email | string | no | The user's email address."
S_JSON = "Bodies are JSON."
S_KEY = "Both operations require an API key sent in the request header `Authorization`"
S_401 = ("When the header is missing or the key is invalid, the response is 401 "
         "with an error body of kind `AuthenticationRequired`.")
S_403 = "When the key is valid but the caller lacks the permission for the operation, the response is 403"
S_PUT = "PUT {base_url}/api/admin/user-admin/:id — update a user"
S_GET = "GET {base_url}/api/admin/banners — list all banners"
S_PREFIX = "Both paths are under the prefix `/api/admin`."
S_ID = "Path parameter `id`: integer, required."
S_BODY = "Request body (required, schema `updateUserSchema`):"
S_USERNAME = "username is not a field of this body"
S_PUT200 = "| 200 | User updated | User (`createUserResponseSchema`) |"
S_400 = "| 400 | Request data does not match what is expected | Error body |"
S_404 = "| 404 | Requested resource not found | Error body |"
E_400 = "| 400 | ValidationError | Request payload does not conform to the schema | PUT user |"
E_401 = "| 401 | AuthenticationRequired | No or invalid authorization header | PUT user, GET banners |"
E_403 = "| 403 | NoAccessError | Valid credentials without the required permission | PUT user |"
E_404 = "| 404 | NotFoundError | Requested resource does not exist | PUT user |"
S_ERRORS = "All errors carry the body {id, name, message}."
S_ERROR_ID = "The `id` is a string identifying the error instance; `message` is human-readable."
S_LIST = "List all configured banners."
S_BANNERS200 = "| 200 | All configured banners | Object with required array `banners` of Banner objects (`bannersSchema`) |"
S_BANNERS = "The schema lists only `banners` as a required array of objects."
S_NO_QUERY = "No path parameters; no query parameters are listed; no request body."

USER_ROW = {
    "id": "| id | integer | yes | The user id |",
    "isAPI": "| isAPI | boolean | no | Deprecated in v5.",
    "name": "| name | string, nullable | no | Name of the user |",
    "email": "| email | string | no | Email of the user |",
    "username": "| username | string, nullable | no | Unique username |",
    "imageUrl": "| imageUrl | string | no | URL of the profile image |",
    "inviteLink": "| inviteLink | string | no | Present when the user is actively inviting others; a shareable link |",
    "loginAttempts": "| loginAttempts | integer | no | Count of unsuccessful login attempts |",
    "emailSent": "| emailSent | boolean | no | Whether the welcome email was sent |",
    "rootRole": "| rootRole | object | no | The user's root role.",
    "seenAt": "| seenAt | string, date-time, nullable | no | Last time the user logged in |",
    "createdAt": "| createdAt | string, date-time | no | Creation time of the user |",
    "accountType": "| accountType | string | no | Either an actual User or a Service Account.",
    "permissions": "| permissions | string[] | no | Deprecated |",
    "scimId": "| scimId | string, nullable | no | SCIM id; present only if the user is managed by SCIM |",
}
BODY_ROW = {
    "email": S_OPTIONAL_EMAIL,
    "name": "| name | string | no | The user's name, not the username |",
    "rootRole": "| rootRole | object | no | Root role of the user. The request sample sends an integer value.",
}
BANNER_ROW = {
    "id": "| id | integer | Banner identifier |",
    "message": "| message | string | Markdown text |",
    "enabled": "| enabled | boolean | |",
    "variant": "| variant | string | Banner style |",
    "sticky": "| sticky | boolean | |",
    "icon": "| icon | string | Icon name |",
    "link": "| link | string | Link kind; the sample uses the word for opening a dialog |",
    "linkText": "| linkText | string | Text of the link |",
    "dialogTitle": "| dialogTitle | string | Title of the dialog |",
    "dialog": "| dialog | string | Markdown text of the dialog |",
    "createdAt": "| createdAt | string, date-time | ISO 8601 with time zone offset |",
}
ERROR_ROW = {
    "id": "| id | string | Id of the error instance |",
    "name": "| name | string | Name of the error kind |",
    "message": "| message | string | Description of what went wrong |",
}


# ======================================================== FAULTS: keys (401)

def key_fault(name, what, accepts, breaks=S_401):
    """accepts(service, call, key) -> whether to accept this request as the admin's, too."""
    @fault(name, what, breaks)
    class _(Service):
        def identify(self, call, key):
            return super().identify(call, key) or (ADMIN if accepts(self, call, key) else None)


def is_update(call):
    return call.id_text is not None


key_fault("auth-missing-accepted", "a request without the header is let in",
          lambda s, call, key: key is None)
key_fault("auth-empty-accepted", "an empty header value is let in", lambda s, call, key: key == "")
key_fault("auth-any-accepted", "any non-empty key is let in (only presence is checked)",
          lambda s, call, key: bool(key))
key_fault("auth-put-any-accepted", "any non-empty key may update users; banners are protected",
          lambda s, call, key: bool(key) and is_update(call))
key_fault("auth-banners-any-accepted", "any non-empty key lists banners; PUT is protected",
          lambda s, call, key: bool(key) and not is_update(call))
key_fault("auth-prefix-accepted", "a beginning of the key is let in",
          lambda s, call, key: bool(key) and s.admin_key.startswith(key))
key_fault("auth-longer-accepted", "the key followed by anything is let in",
          lambda s, call, key: bool(key) and key.startswith(s.admin_key))
key_fault("auth-containing-accepted", "any value that has the key somewhere in it is let in",
          lambda s, call, key: bool(key) and s.admin_key in key)
key_fault("auth-case-insensitive", "the key is compared without regard to case",
          lambda s, call, key: bool(key) and key.lower() == s.admin_key.lower())
key_fault("auth-length-only", "any key of the right length is let in",
          lambda s, call, key: bool(key) and len(key) == len(s.admin_key))
key_fault("auth-put-open", "PUT needs no key at all (banners do)",
          lambda s, call, key: is_update(call), S_KEY)
key_fault("auth-banners-open", "GET banners needs no key at all (PUT does)",
          lambda s, call, key: not is_update(call), S_KEY)
key_fault("auth-put-missing-accepted", "PUT without the header is let in; a wrong key is refused",
          lambda s, call, key: is_update(call) and key is None, S_KEY)
key_fault("auth-banners-missing-accepted", "GET banners without the header is let in; a wrong key is refused",
          lambda s, call, key: not is_update(call) and key is None, S_KEY)
key_fault("auth-query-accepted", "the key is also taken from any query parameter",
          lambda s, call, key: any(s.admin_key in v for v in call.request.query.values()), S_KEY)
key_fault("auth-cookie-accepted", "the key is also taken from a cookie",
          lambda s, call, key: s.admin_key in re.split(r"[=;]\s*", call.request.headers.get("Cookie", "")), S_KEY)
key_fault("auth-x-api-key-accepted", "the key is also taken from X-API-Key",
          lambda s, call, key: call.request.headers.get("X-API-Key") == s.admin_key, S_KEY)
key_fault("auth-body-accepted", "the key is also taken from a body member (apiKey, token, authorization)",
          lambda s, call, key: b'"' + s.admin_key.encode() + b'"' in call.request.body, S_KEY)


@fault("auth-x-api-key-only", "the key is looked for in X-API-Key only", S_KEY)
class _(Service):
    def presented_key(self, call):
        return call.request.headers.get("X-API-Key")


@fault("auth-bearer-required", "the bare key is refused; only 'Bearer KEY' is let in", S_KEY,
       "the key format is not shown, but type apiKey means that the header value is the key")
class _(Service):
    def presented_key(self, call):
        key = super().presented_key(call) or ""
        return key[7:] if key.startswith("Bearer ") else None


@fault("auth-header-case-sensitive", "the header counts only when spelled 'Authorization'", S_KEY)
class _(Service):
    def presented_key(self, call):
        return super().presented_key(call) if "Authorization" in call.request.headers.keys() else None


@fault("auth-remembered-on-connection", "after one good key, the connection needs no key any more", S_KEY)
class _(Service):
    def identify(self, call, key):
        caller = super().identify(call, key)
        if caller:
            call.request.connection["caller"] = caller
        return caller or call.request.connection.get("caller")


@fault("auth-remembered-everywhere", "after one good key, requests without the header are let in as that caller", S_KEY)
class _(Service):
    remembered = None

    def identify(self, call, key):
        caller = super().identify(call, key)
        if caller:
            self.remembered = caller
        return self.remembered if key is None else caller


@fault("auth-update-then-401", "an update without a valid key is answered 401 but carried out", S_401)
class _(Service):
    def authenticate(self, call):
        try:
            super().authenticate(call)
        except ApiError:
            if is_update(call):
                self.update_anyway(call)
            raise


@fault("auth-after-validation", "a well-formed wrong field is reported (400) to callers without a key", S_401,
       "the order of the checks is not shown")
class _(Service):
    steps = ("read_id", "check_media", "read_body", "validate", "authenticate", "authorize", "find_user")


@fault("auth-after-existence", "an unknown user is reported (404) to callers without a key", S_401,
       "the order of the checks is not shown")
class _(Service):
    steps = ("read_id", "find_user", "authenticate", "authorize", "check_media", "read_body", "validate")


# ------------------------------- groups of faults: what replaces an error

def error_fault(name, what, kinds, turn, breaks, arguable=""):
    """Errors of these kinds become the Response turn(service, call, error)."""
    @fault(name, what, breaks, arguable)
    class _(Service):
        def error_response(self, call, error):
            if error.kind not in kinds:
                return super().error_response(call, error)
            return turn(self, call, error)


def as_error(status, name):
    """The same error body, with another status and name."""
    return lambda s, call, e: Service.error_response(s, call, ApiError(status, name, e.message, "turned"))


def same_but(status):
    """Another status with the documented name."""
    return lambda s, call, e: Service.error_response(s, call, ApiError(status, e.name, e.message, "turned"))


def renamed(name):
    return lambda s, call, e: Service.error_response(s, call, ApiError(e.status, name, e.message, "turned"))


def raw(status, body, media):
    def turn(s, call, e):
        return Response(status or e.status, body, media)
    return turn


error_fault("auth-403", "missing and invalid keys are answered 403", AUTH_KINDS, as_error(403, "NoAccessError"), S_401)
error_fault("auth-missing-403", "a missing header is answered 403; a wrong key 401",
            {"key missing"}, as_error(403, "NoAccessError"), S_401)
error_fault("auth-invalid-403", "a wrong key is answered 403; a missing header 401",
            {"key invalid"}, as_error(403, "NoAccessError"), S_401)
error_fault("auth-missing-400", "a missing header is answered 400", {"key missing"}, as_error(400, "ValidationError"), S_401)
error_fault("auth-404", "missing and invalid keys are answered 404", AUTH_KINDS, as_error(404, "NotFoundError"), S_401)
error_fault("auth-missing-500", "a missing header crashes the server (500)",
            {"key missing"}, as_error(500, "InternalError"), S_401)
error_fault("auth-200", "missing and invalid keys: error body, but status 200", AUTH_KINDS, same_but(200), S_401)
error_fault("auth-407", "missing and invalid keys are answered 407", AUTH_KINDS, same_but(407), S_401)


def to_login(s, call, e):
    response = Response(302)
    response.headers["Location"] = "/login"
    return response


error_fault("auth-redirect", "missing and invalid keys are redirected to a login page", AUTH_KINDS, to_login, S_401)
error_fault("auth-name-wrong", "401 with name 'Unauthorized'", AUTH_KINDS, renamed("Unauthorized"), E_401)
error_fault("auth-invalid-name-wrong", "401 for a wrong key has name 'InvalidKey'; for none, the right one",
            {"key invalid"}, renamed("InvalidKey"), E_401)
error_fault("auth-empty-body", "401 without a body", AUTH_KINDS, raw(401, b"", None), S_401)
error_fault("auth-text", "401 with a plain text body", AUTH_KINDS, raw(401, b"Unauthorized", "text/plain"), S_401)


@fault("auth-banners-name-wrong", "401 of GET banners has name 'Unauthorized'; that of PUT the right one", E_401)
class _(Service):
    def error_response(self, call, error):
        if error.kind in AUTH_KINDS and not is_update(call):
            error = ApiError(401, "Unauthorized", error.message, error.kind)
        return super().error_response(call, error)


@fault("auth-banners-empty-list", "GET banners without a valid key: 200 and an empty list", S_401)
class _(Service):
    def error_response(self, call, error):
        if error.kind in AUTH_KINDS and not is_update(call):
            return self.json_response(200, {"banners": []})
        return super().error_response(call, error)


# ================================================= FAULTS: permission (403)

@fault("perm-unchecked", "any valid key may update users", S_403)
class _(Service):
    def authorize(self, call):
        pass


@fault("perm-only-for-role", "permission is looked at only when rootRole is sent", S_403)
class _(Service):
    steps = ("authenticate", "read_id", "check_media", "read_body", "validate", "authorize", "find_user")

    def authorize(self, call):
        if "rootRole" in call.changes:
            super().authorize(call)


@fault("perm-role-unchecked", "permission is looked at except when rootRole is sent", S_403)
class _(Service):
    steps = ("authenticate", "read_id", "check_media", "read_body", "validate", "authorize", "find_user")

    def authorize(self, call):
        if "rootRole" not in call.changes:
            super().authorize(call)


@fault("perm-update-then-403", "an update without permission is answered 403 but carried out", S_403)
class _(Service):
    def authorize(self, call):
        if call.caller != ADMIN:
            self.update_anyway(call)
        super().authorize(call)


@fault("perm-silently-ignored", "an update without permission is answered 200 and not carried out", S_403)
class _(Service):
    def authorize(self, call):
        pass

    def apply(self, call):
        if call.caller == ADMIN:
            super().apply(call)


@fault("perm-nobody", "no key may update users", S_PUT200)
class _(Service):
    def authorize(self, call):
        raise forbidden()


@fault("perm-restricted-unknown", "the restricted key is taken for an invalid one (401)", S_403)
class _(Service):
    def identify(self, call, key):
        caller = super().identify(call, key)
        return None if caller == RESTRICTED and is_update(call) else caller


error_fault("perm-400", "no permission is answered 400", {"permission"}, as_error(400, "ValidationError"), S_403)
error_fault("perm-404", "no permission is answered 404", {"permission"}, as_error(404, "NotFoundError"), S_403)
error_fault("perm-405", "no permission is answered 405", {"permission"}, same_but(405), S_403)
error_fault("perm-500", "no permission crashes the server (500)", {"permission"}, as_error(500, "InternalError"), S_403)
error_fault("perm-401-own-name", "401 with the name NoAccessError", {"permission"}, same_but(401), S_403)
error_fault("perm-name-wrong", "403 with name 'Forbidden'", {"permission"}, renamed("Forbidden"), E_403)
error_fault("perm-name-of-401", "403 with name 'AuthenticationRequired'",
            {"permission"}, renamed("AuthenticationRequired"), E_403)
error_fault("perm-empty-body", "403 without a body", {"permission"}, raw(403, b"", None), S_ERRORS)


# ============================================== FAULTS: partial update

def apply_fault(name, what, after, breaks=S_RULE, arguable=""):
    """after(service, call, user) spoils the stored user after the update."""
    @fault(name, what, breaks, arguable)
    class _(Service):
        def apply(self, call):
            super().apply(call)
            after(self, call, call.user)


def absent(call):
    return [f for f in BODY_FIELDS if f not in call.changes]


def replace_all(s, call, user):
    kept = {"id": user["id"], **call.changes}
    user.clear()
    user.update(kept)


def put_back(fields):
    def after(s, call, user):
        for field in fields(call):
            user[field] = call.before.get(field)
    return after


apply_fault("put-replaces-all", "the user becomes {id} and the sent fields", replace_all)
apply_fault("put-drops-absent", "name, email, rootRole that are not sent are removed",
            lambda s, call, user: [user.pop(f, None) for f in absent(call)])
apply_fault("put-nulls-absent", "name, email, rootRole that are not sent become null",
            lambda s, call, user: user.update(dict.fromkeys(absent(call))))
apply_fault("put-empties-absent", "name, email that are not sent become ''",
            lambda s, call, user: user.update({f: "" for f in absent(call) if f != "rootRole"}))
apply_fault("put-resets-absent-name", "name, when not sent, becomes null",
            lambda s, call, user: user.update({} if "name" in call.changes else {"name": None}))
apply_fault("put-resets-absent-email", "email, when not sent, is removed",
            lambda s, call, user: None if "email" in call.changes else user.pop("email", None))
apply_fault("put-resets-absent-role", "rootRole, when not sent, becomes 3",
            lambda s, call, user: user.update({} if "rootRole" in call.changes else {"rootRole": 3}))
apply_fault("put-name-resets-email", "sending name without email empties the email",
            lambda s, call, user: user.update({"email": ""} if "name" in call.changes and "email" not in call.changes else {}))
apply_fault("put-first-field-only", "of several sent fields, only the first changes",
            put_back(lambda call: list(call.changes)[1:]), S_PUT200)
apply_fault("put-last-field-only", "of several sent fields, only the last changes",
            put_back(lambda call: list(call.changes)[:-1]), S_PUT200)
for _field in BODY_FIELDS:
    apply_fault("put-%s-not-updated" % _field.lower(), "%s is accepted and does not change" % _field,
                put_back(lambda call, f=_field: [f] if f in call.changes else []), S_PUT200)
apply_fault("put-swaps-name-and-email", "the name is stored as email and the email as name",
            lambda s, call, user: user.update({t: call.changes[f] for f, t in (("name", "email"), ("email", "name"))
                                               if f in call.changes}), BODY_ROW["name"])
apply_fault("put-name-into-username", "the name is stored as username too",
            lambda s, call, user: user.update({"username": call.changes["name"]} if "name" in call.changes else {}),
            BODY_ROW["name"])
apply_fault("put-email-into-username", "the email is stored as username too",
            lambda s, call, user: user.update({"username": call.changes["email"]} if "email" in call.changes else {}))
apply_fault("put-all-users", "the update is made to every user",
            lambda s, call, user: [u.update(call.changes) for u in s.users.values()])
apply_fault("put-role-of-all-users", "the role is given to every user",
            lambda s, call, user: [u.update(rootRole=user["rootRole"]) for u in s.users.values()
                                   if "rootRole" in call.changes])

for _field, _value, _what in (
        ("username", lambda v: None, "is cleared"),
        ("createdAt", lambda v: now(), "becomes the time of the update"),
        ("seenAt", lambda v: now(), "becomes the time of the update"),
        ("loginAttempts", lambda v: 0 if v else 1, "is reset"),
        ("permissions", lambda v: [], "is emptied"),
        ("imageUrl", lambda v: "https://img.example.com/default.png", "is reset to the default image"),
        ("inviteLink", lambda v: "https://app.example.com/invite/" + uuid.uuid4().hex[:4], "is made anew"),
        ("emailSent", lambda v: not v, "is flipped"),
        ("isAPI", lambda v: True, "becomes true"),
        ("accountType", lambda v: "Service Account", "becomes Service Account"),
        ("scimId", lambda v: None, "is cleared")):
    apply_fault("put-touches-" + _field.lower(), "%s %s with every update" % (_field, _what),
                lambda s, call, user, f=_field, v=_value: user.update({f: v(user.get(f))}))


def text_fault(name, what, spoil, fields=("name",), breaks=S_PUT200, arguable=""):
    apply_fault(name, what, lambda s, call, user: user.update(
        {f: spoil(call.changes[f]) for f in fields if f in call.changes}), breaks, arguable)


text_fault("put-name-lowercased", "the name is stored in lower case", str.lower)
text_fault("put-name-truncated", "the name is cut to 10 characters without a word", lambda t: t[:10],
           arguable="bounds on fields are not shown; but a 200 says that the update was made")
text_fault("put-name-ascii-only", "characters outside ASCII become '?'", lambda t: t.encode("ascii", "replace").decode())
text_fault("put-name-mojibake", "UTF-8 is read as Latin-1", lambda t: t.encode("utf-8", "replace").decode("latin-1"),
           breaks=S_JSON)
text_fault("put-name-html-escaped", "the name is stored HTML-escaped", html.escape)
text_fault("put-name-quotes-dropped", "quotes and backslashes vanish from the name", lambda t: re.sub(r"['\"\\]", "", t))


@fault("put-empty-text-ignored", "'' as name or email is answered 200 and changes nothing (falsy value skipped)", S_PUT200)
class _(Service):
    def check_field(self, call, field, value):
        return SKIP if value == "" else super().check_field(call, field, value)


@fault("put-echo-not-stored", "the changed user is shown and not stored", S_PUT200)
class _(Service):
    def apply(self, call):
        call.user = copy.deepcopy(call.user)
        super().apply(call)


for _field in BODY_FIELDS:
    @fault("put-%s-echo-not-stored" % _field.lower(), "the changed %s is shown and not stored" % _field, S_PUT200)
    class _(Service):
        field = _field

        def user_response(self, call):
            response = super().user_response(call)
            if self.field in call.changes:
                call.user[self.field] = call.before.get(self.field)
            return response

    @fault("put-%s-stale-answer" % _field.lower(), "the change of %s is stored; the answer has the old one" % _field, S_PUT200)
    class _(Service):
        field = _field

        def show_user(self, call):
            return {**super().show_user(call), self.field: call.before.get(self.field)}


@fault("put-stale-answer", "the change is stored; the answer is the user before it", S_PUT200)
class _(Service):
    def show_user(self, call):
        return call.before


@fault("put-answers-seed", "the answer is the user as it was when the server started", S_PUT200)
class _(Service):
    def show_user(self, call):
        return seed_users().get(call.user_id, super().show_user(call))


@fault("put-echoes-body", "the answer is the user overlaid with the whole request body (id, username, ... as sent)", S_PUT200)
class _(Service):
    def show_user(self, call):
        return {**super().show_user(call), **call.body}


@fault("put-reverts-at-next", "an update starts from the first state: what earlier updates changed is lost", S_RULE)
class _(Service):
    def apply(self, call):
        call.user.clear()
        call.user.update(seed_users()[call.user_id])
        super().apply(call)


@fault("put-only-once", "only the first update of a user is carried out; later ones answer 200", S_PUT200)
class _(Service):
    def apply(self, call):
        done = self.__dict__.setdefault("done", set())
        if call.user_id in done:
            call.changes = {}
        done.add(call.user_id)
        super().apply(call)


@fault("put-stored-at-next", "an update is stored only when the next one arrives", S_PUT200)
class _(Service):
    waiting = None

    def apply(self, call):
        if self.waiting:
            user, changes = self.waiting
            user.update(changes)
        self.waiting = (call.user, call.changes)
        call.before = call.user
        call.user = {**call.user, **call.changes}


@fault("put-other-user", "the next user is changed; the answer shows the change under the asked id", S_PUT)
class _(Service):
    def apply(self, call):
        call.before = copy.deepcopy(call.user)
        self.users[call.user_id % 3 + 1].update(call.changes)
        call.user = {**call.user, **call.changes}


@fault("put-first-user", "user 1 is changed and shown, whatever the id", S_PUT)
class _(Service):
    def find_user(self, call):
        super().find_user(call)
        call.user = self.users[1]


@fault("put-answers-other-user", "the right user is changed; the answer is another user", S_PUT200)
class _(Service):
    def show_user(self, call):
        return copy.deepcopy(self.users[call.user_id % 3 + 1])


@fault("put-off-by-one", "the id is taken for a position: id 2 changes and shows user 3, id 3 user 1", S_PUT)
class _(Service):
    def find_user(self, call):
        super().find_user(call)
        call.user = self.users[call.user_id % 3 + 1]


@fault("put-mass-assignment", "every field of User in the body is stored (id, username, createdAt, ...)",
       S_USERNAME)
class _(Service):
    def validate(self, call):
        super().validate(call)
        call.changes.update({f: v for f, v in call.body.items() if f in USER_ROW and f not in call.changes})


@fault("put-username-accepted", "username in the body is stored", S_USERNAME)
class _(Service):
    def validate(self, call):
        super().validate(call)
        if isinstance(call.body.get("username"), str):
            call.changes["username"] = call.body["username"]


@fault("put-body-id-wins", "an id in the body says which user is changed", S_ID)
class _(Service):
    def find_user(self, call):
        call.user_id = call.body["id"] if call.body.get("id") in self.users else call.user_id
        super().find_user(call)


@fault("put-own-email-taken", "sending the user's own email is refused (400, taken)", S_400)
class _(Service):
    def find_user(self, call):
        super().find_user(call)
        if "email" in call.changes and call.changes["email"] == call.user.get("email"):
            raise invalid("email is taken.")


@fault("put-unchanged-304", "an update that changes nothing is answered 304", S_PUT200)
class _(Service):
    def user_response(self, call):
        return Response(304) if call.user == call.before else super().user_response(call)


def requires_fault(name, what, fields, breaks, arguable=""):
    @fault(name, what, breaks, arguable)
    class _(Service):
        def validate(self, call):
            super().validate(call)
            for field in fields:
                if field not in call.body:
                    raise invalid("%s is required." % field)


requires_fault("put-requires-all", "400 unless name, email and rootRole are all sent", BODY_FIELDS, S_PARTIAL)
requires_fault("put-requires-email", "400 unless email is sent", ("email",), S_PARTIAL,
               "the row of email also says 'Must be provided if username is not provided (username is not a field "
               "of this body)', which read to the letter makes it always required")
requires_fault("put-requires-name", "400 unless name is sent", ("name",), BODY_ROW["name"])
requires_fault("put-requires-role", "400 unless rootRole is sent", ("rootRole",), BODY_ROW["rootRole"])


@fault("put-one-field-at-a-time", "400 when more than one field is sent", S_400)
class _(Service):
    def validate(self, call):
        super().validate(call)
        if len(call.changes) > 1:
            raise invalid("one field at a time.")


@fault("put-integer-role-refused", "an integer as rootRole is refused (400); only an object {id} is taken",
       BODY_ROW["rootRole"])
class _(Service):
    def check_role(self, call, value):
        if json_type(value) != "object":
            raise invalid("rootRole must be an object.")
        return super().check_role(call, value.get("id"))


# =============================================== FAULTS: body validation

EXAMPLES = {"number": ("integer", "fraction")}


def stores_fault(field, kind, types):
    @fault("stores-%s-%s" % (field.lower(), kind), "%s of type %s is accepted and stored" % (field, kind), BODY_ROW[field])
    class _(Service):
        def check_field(self, call, name, value):
            if name == field and json_type(value) in types:
                return value
            return super().check_field(call, name, value)


for _field in ("name", "email"):
    for _kind in ("number", "boolean", "null", "array", "object"):
        stores_fault(_field, _kind, EXAMPLES.get(_kind, (_kind,)))
for _kind in ("string", "boolean", "null", "array", "fraction"):
    stores_fault("rootRole", _kind, (_kind,))


def coerce_fault(name, what, fields, coerce, breaks=S_400):
    """coerce(value) -> what is stored, SKIP, or None for the ordinary check."""
    @fault(name, what, breaks)
    class _(Service):
        def check_field(self, call, field, value):
            got = coerce(value) if field in fields else None
            return super().check_field(call, field, value) if got is None else got


TEXTS, ROLE = ("name", "email"), ("rootRole",)
coerce_fault("coerces-number-to-text", "a number as name or email is stored as text", TEXTS,
             lambda v: json.dumps(v) if json_type(v) in ("integer", "fraction") else None, BODY_ROW["name"])
coerce_fault("coerces-boolean-to-text", "a boolean as name or email is stored as 'true' or 'false'", TEXTS,
             lambda v: json.dumps(v) if isinstance(v, bool) else None, BODY_ROW["name"])
coerce_fault("coerces-null-to-text", "null as name or email is stored as 'null'", TEXTS,
             lambda v: "null" if v is None else None, BODY_ROW["name"])
coerce_fault("coerces-null-to-empty", "null as name or email is stored as ''", TEXTS,
             lambda v: "" if v is None else None, BODY_ROW["name"])
coerce_fault("coerces-array-to-text", "a list of texts as name or email is joined", TEXTS,
             lambda v: ",".join(map(str, v)) if isinstance(v, list) else None, BODY_ROW["name"])
coerce_fault("coerces-object-to-text", "an object as name or email is stored as '[object Object]'", TEXTS,
             lambda v: "[object Object]" if isinstance(v, dict) else None, BODY_ROW["name"])
coerce_fault("coerces-text-to-role", "'2' as rootRole is taken for 2", ROLE,
             lambda v: int(v) if isinstance(v, str) and v.strip() in ("1", "2", "3") else None, BODY_ROW["rootRole"])
coerce_fault("coerces-boolean-to-role", "true as rootRole is taken for 1", ROLE,
             lambda v: 1 if v is True else None, BODY_ROW["rootRole"])
coerce_fault("coerces-fraction-to-role", "2.7 as rootRole is taken for 2", ROLE,
             lambda v: int(v) if json_type(v) == "fraction" and int(v) in ROLES else None, BODY_ROW["rootRole"])
coerce_fault("coerces-array-to-role", "[2] as rootRole is taken for 2", ROLE,
             lambda v: v[0] if isinstance(v, list) and v and v[0] in (1, 2, 3) else None, BODY_ROW["rootRole"])
coerce_fault("null-ignored", "a null field is answered 200 and left alone", BODY_FIELDS,
             lambda v: SKIP if v is None else None)


@fault("wrong-types-ignored", "a field of a wrong type is answered 200 and left alone", S_400)
class _(Service):
    def check_field(self, call, field, value):
        try:
            return super().check_field(call, field, value)
        except ApiError:
            return SKIP


for _field in BODY_FIELDS:
    @fault("wrong-%s-ignored" % _field.lower(), "a wrong %s is answered 200 and left alone" % _field, S_400)
    class _(Service):
        field = _field

        def check_field(self, call, field, value):
            try:
                return super().check_field(call, field, value)
            except ApiError:
                if field == self.field:
                    return SKIP
                raise


@fault("only-first-field-checked", "only the first member of the body is checked; the others are stored as they are", S_400)
class _(Service):
    def check_field(self, call, field, value):
        return super().check_field(call, field, value) if field == next(iter(call.body)) else value


@fault("refused-half-applied", "fields before the wrong one are stored, then 400", S_400)
class _(Service):
    def check_field(self, call, field, value):
        value = super().check_field(call, field, value)
        if call.user_id in self.users:
            self.users[call.user_id][field] = value
        return value


@fault("refused-rest-applied", "all good fields are stored, wherever they stand, then 400", S_400)
class _(Service):
    def validate(self, call):
        try:
            super().validate(call)
        except ApiError:
            for field, value in call.body.items():
                try:
                    if field in BODY_FIELDS and call.user_id in self.users:
                        self.users[call.user_id][field] = self.check_field(call, field, value)
                except ApiError:
                    pass
            raise


@fault("refused-but-stored", "the wrong value is stored, then 400", S_400)
class _(Service):
    def validate(self, call):
        try:
            super().validate(call)
        except ApiError:
            if call.user_id in self.users:
                self.users[call.user_id].update({f: v for f, v in call.body.items() if f in BODY_FIELDS})
            raise


@fault("refused-counts-login-attempt", "each update refused with 400 adds one to loginAttempts", USER_ROW["loginAttempts"])
class _(Service):
    def error_response(self, call, error):
        if error.status == 400 and call.user_id in self.users:
            self.users[call.user_id]["loginAttempts"] += 1
        return super().error_response(call, error)


@fault("refused-reverts-last", "an update refused with 400 undoes the user's earlier updates", S_PARTIAL)
class _(Service):
    def error_response(self, call, error):
        if error.status == 400 and call.user_id in self.users:
            self.users[call.user_id] = seed_users()[call.user_id]
        return super().error_response(call, error)


for _status, _name in ((422, "ValidationError"), (500, "InternalError"), (409, "ValidationError"),
                       (404, "NotFoundError"), (403, "NoAccessError")):
    error_fault("invalid-%d" % _status, "a wrong field is answered %d" % _status, {"field"}, as_error(_status, _name), S_400)
error_fault("invalid-200", "a wrong field: the error body, but status 200", {"field"}, same_but(200), S_400)
error_fault("invalid-name-wrong", "400 with name 'BadRequest'", INVALID_KINDS, renamed("BadRequest"), E_400)
error_fault("invalid-name-bad-data", "400 of a wrong field with name 'BadDataError'", {"field"}, renamed("BadDataError"), E_400)
error_fault("malformed-500", "malformed JSON crashes the server (500)", {"malformed"}, as_error(500, "InternalError"), S_400)
error_fault("malformed-422", "malformed JSON is answered 422", {"malformed"}, same_but(422), S_400)
error_fault("malformed-415", "malformed JSON is answered 415", {"malformed"}, same_but(415), S_400)
error_fault("malformed-name-wrong", "malformed JSON: 400 with name 'SyntaxError'", {"malformed"}, renamed("SyntaxError"), E_400)
error_fault("malformed-html", "malformed JSON: 400 with the framework's HTML page", {"malformed"},
            raw(400, b"<!DOCTYPE html><html><body><pre>SyntaxError: Unexpected token</pre></body></html>", "text/html"), S_ERRORS)
error_fault("no-body-500", "a missing body crashes the server (500)", {"no body"}, as_error(500, "InternalError"), S_BODY)
error_fault("not-object-500", "a body that is not an object crashes the server (500)",
            {"not an object"}, as_error(500, "InternalError"), S_400)
error_fault("not-object-422", "a body that is not an object is answered 422", {"not an object"}, same_but(422), S_400)
error_fault("id-500", "a path id that is not an integer crashes the server (500)",
            {"bad id"}, as_error(500, "InternalError"), S_ID)
error_fault("id-422", "a path id that is not an integer is answered 422", {"bad id"}, same_but(422), S_ID)
error_fault("id-name-wrong", "a path id that is not an integer: 400 with name 'BadRequest'", {"bad id"}, renamed("BadRequest"), E_400)


@fault("malformed-as-empty", "malformed JSON is taken for {} (200)", S_400)
class _(Service):
    def malformed_body(self, call):
        return {}


@fault("malformed-python-literal", "quotes ' and trailing commas are accepted", S_JSON)
class _(Service):
    def malformed_body(self, call):
        try:
            return ast.literal_eval(call.request.body.decode("utf-8").strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return super().malformed_body(call)


@fault("malformed-rest-ignored", "whatever follows the first JSON value is ignored", S_JSON)
class _(Service):
    def malformed_body(self, call):
        try:
            return json.JSONDecoder().raw_decode(call.request.body.decode("utf-8").lstrip())[0]
        except (ValueError, RecursionError):
            return super().malformed_body(call)


@fault("malformed-form-accepted", "name=x&email=y is accepted as a body with the JSON media type", S_JSON)
class _(Service):
    def malformed_body(self, call):
        pairs = dict(urllib.parse.parse_qsl(call.request.body.decode("utf-8", "replace")))
        return pairs or super().malformed_body(call)


@fault("no-body-as-empty", "a missing body is taken for {} (200)", S_BODY)
class _(Service):
    def missing_body(self, call):
        return {}


def not_object_fault(name, what, turn):
    @fault(name, what, S_400)
    class _(Service):
        def body_not_object(self, call, value):
            got = turn(value)
            return super().body_not_object(call, value) if got is None else got


not_object_fault("not-object-as-empty", "any JSON value that is not an object is taken for {} (200)", lambda v: {})
not_object_fault("array-as-empty", "a list is taken for {} (200)", lambda v: {} if isinstance(v, list) else None)
not_object_fault("array-first-used", "of a list, the first object is used",
                 lambda v: v[0] if isinstance(v, list) and v and isinstance(v[0], dict) else None)
not_object_fault("null-body-as-empty", "null is taken for {} (200)", lambda v: {} if v is None else None)
not_object_fault("string-as-empty", "a JSON string is taken for {} (200)", lambda v: {} if isinstance(v, str) else None)


def decode_twice(value):
    try:
        value = json.loads(value)
    except (ValueError, TypeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


not_object_fault("string-decoded-again", "a JSON string holding an object is decoded a second time", decode_twice)


# ------------------------------------------------------------- the path id

def id_fault(name, what, read):
    """read(text) -> an id, or None for the ordinary check."""
    @fault(name, what, S_ID)
    class _(Service):
        def parse_id(self, text):
            got = read(text)
            return super().parse_id(text) if got is None else got


def number_like(text):
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
        return int(text, 16)
    try:
        number = float(text)
        return int(number) if number.is_integer() else None
    except ValueError:
        return None


def leading_digits(text):
    match = re.match(r"\s*([0-9]{1,9})", text)
    return int(match.group(1)) if match else None


id_fault("id-leading-digits", "'1abc' is taken for 1, '1.9' for 1 (parseInt)", leading_digits)
id_fault("id-fraction-truncated", "'1.9' is taken for 1",
         lambda t: int(float(t)) if re.fullmatch(r"[0-9]{1,9}\.[0-9]+", t) else None)
id_fault("id-number-forms", "'0x1', '1e0' and ' 1 ' are taken for 1", number_like)
id_fault("id-sign-ignored", "'-1' is taken for 1", lambda t: int(t[1:]) if re.fullmatch(r"-[0-9]{1,9}", t) else None)
id_fault("id-word-as-first", "a word as id reaches user 1", lambda t: 1 if t.isalpha() else None)


@fault("id-username-accepted", "a username as path id reaches the user", S_ID)
class _(Service):
    def parse_id(self, text):
        for user in self.users.values():
            if user.get("username") == text:
                return user["id"]
        return super().parse_id(text)


# ================================================ FAULTS: unknown user (404)

def created(service, call):
    service.users[call.user_id] = {"id": call.user_id}
    return service.users[call.user_id]


@fault("unknown-created", "an update of an unknown user creates it (200)", S_404)
class _(Service):
    def unknown_user(self, call):
        call.user = created(self, call)


@fault("unknown-created-201", "an update of an unknown user creates it (201)", S_404)
class _(Service):
    def unknown_user(self, call):
        call.user = created(self, call)

    def user_response(self, call):
        response = super().user_response(call)
        response.status = 201 if len(call.before) == 1 else 200
        return response


@fault("unknown-created-404", "an update of an unknown user is answered 404, yet creates it", S_404)
class _(Service):
    def unknown_user(self, call):
        created(self, call).update(call.changes)
        super().unknown_user(call)


@fault("unknown-echoed", "an update of an unknown user is answered 200 with the sent fields; nothing is stored", S_404)
class _(Service):
    def unknown_user(self, call):
        call.user = {"id": call.user_id}


@fault("unknown-as-first", "an update of an unknown user changes user 1", S_404)
class _(Service):
    def unknown_user(self, call):
        call.user = self.users[1]


error_fault("unknown-200-empty", "unknown user: 200 and {}", {"user"}, lambda s, c, e: s.json_response(200, {}), S_404)
error_fault("unknown-200-null", "unknown user: 200 and null", {"user"}, lambda s, c, e: s.json_response(200, None), S_404)
error_fault("unknown-200-error", "unknown user: the error body, but status 200", {"user"}, same_but(200), S_404)
error_fault("unknown-204", "unknown user: 204", {"user"}, raw(204, b"", None), S_404)
error_fault("unknown-400", "unknown user: 400", {"user"}, as_error(400, "ValidationError"), S_404)
error_fault("unknown-403", "unknown user: 403", {"user"}, as_error(403, "NoAccessError"), S_404)
error_fault("unknown-401", "unknown user: 401", {"user"}, as_error(401, "AuthenticationRequired"), S_404)
error_fault("unknown-410", "unknown user: 410", {"user"}, same_but(410), S_404)
error_fault("unknown-500", "unknown user: 500", {"user"}, as_error(500, "InternalError"), S_404)
error_fault("unknown-name-wrong", "unknown user: 404 with name 'NotFound'", {"user"}, renamed("NotFound"), E_404)
error_fault("unknown-name-of-400", "unknown user: 404 with name 'ValidationError'", {"user"}, renamed("ValidationError"), E_404)
error_fault("unknown-empty-body", "unknown user: 404 without a body", {"user"}, raw(404, b"", None), S_ERRORS)
error_fault("unknown-html", "unknown user: 404 with an HTML page", {"user"},
            raw(404, b"<html><body>Not found</body></html>", "text/html"), S_ERRORS)


# ====================================== FAULTS: status, media type, envelope

def reply_fault(which, name, what, spoil, breaks):
    """spoil(response) changes a good response of `which` (user, banners)."""
    method = which + "_response"

    @fault(name, what, breaks)
    class _(Service):
        pass

    def spoiled(self, call, _cls=_):
        response = getattr(super(_cls, self), method)(call)
        spoil(response)
        return response
    setattr(_, method, spoiled)


def set_status(status):
    def spoil(response):
        response.status = status
        if status == 204:
            response.body, response.headers = b"", {}
    return spoil


def set_media(media):
    def spoil(response):
        response.headers.pop("Content-Type")
        if media:
            response.headers["Content-Type"] = media
    return spoil


def set_body(change):
    def spoil(response):
        response.body = change(response.body)
    return spoil


def python_text(body):
    return repr(json.loads(body)).encode()


def xml(body):
    return b"<document>" + html.escape(body.decode()).encode() + b"</document>"


for _which, _short, _ok in (("user", "put", S_PUT200), ("banners", "banners", S_BANNERS200)):
    for _status in (201, 202, 203, 204, 206, 500) if _which == "banners" else (201, 202, 204, 500):
        reply_fault(_which, "%s-%d" % (_short, _status), "success is answered %d" % _status, set_status(_status), _ok)
    for _label, _media in (("text-plain", "text/plain"), ("text-html", "text/html; charset=utf-8"),
                           ("octet-stream", "application/octet-stream"), ("no-content-type", None)):
        reply_fault(_which, "%s-%s" % (_short, _label), "success has %s" % ("Content-Type " + _media if _media else "no Content-Type"),
                    set_media(_media), S_JSON)
    for _label, _what, _change in (
            ("empty-200", "status 200 without a body", lambda b: b""),
            ("python-text", "the body is written with single quotes, True and None", python_text),
            ("xml", "the body is XML, announced as JSON", xml),
            ("truncated", "the last byte of the JSON text is missing", lambda b: b[:-1]),
            ("twice", "the JSON text is there twice", lambda b: b + b),
            ("trailing-comma", "a comma before the last brace", lambda b: b[:-1] + b",}"),
            ("xssi-prefix", "the JSON text has the prefix )]}',", lambda b: b")]}',\n" + b),
            ("double-encoded", "the body is a JSON string that holds the JSON text", lambda b: json.dumps(b.decode()).encode()),
            ("bom", "the JSON text has a byte order mark", lambda b: b"\xef\xbb\xbf" + b),
            ("latin-1", "the text is in Latin-1, not UTF-8",
             lambda b: json.dumps(json.loads(b), ensure_ascii=False).encode("latin-1", "replace")),
            ("utf-16", "the text is in UTF-16", lambda b: b.decode().encode("utf-16"))):
        if (_which, _label) != ("banners", "latin-1"):    # a dash is not in Latin-1
            reply_fault(_which, "%s-%s" % (_short, _label), _what, set_body(_change), S_JSON)


def user_fault(name, what, change, breaks=S_PUT200, arguable=""):
    @fault(name, what, breaks, arguable)
    class _(Service):
        def show_user(self, call):
            return change(super().show_user(call))


def snake(text):
    return re.sub(r"([a-z])([A-Z]+)", r"\1_\2", text).lower()


user_fault("put-wrapped-user", "the user is under 'user'", lambda u: {"user": u})
user_fault("put-wrapped-data", "the user is under 'data'", lambda u: {"data": u})
user_fault("put-array", "the user is the one item of a list", lambda u: [u])
user_fault("put-null", "the answer is null", lambda u: None)
user_fault("put-empty-object", "the answer is {}", lambda u: {})
user_fault("put-ok-true", "the answer is {\"ok\": true}", lambda u: {"ok": True})
user_fault("put-true", "the answer is true", lambda u: True)
user_fault("put-bare-id", "the answer is the id", lambda u: u["id"])
user_fault("put-all-users-listed", "the answer is {\"users\": [...]}", lambda u: {"users": [u]})
user_fault("put-snake-case", "id is shown as user_id, other fields in snake_case",
           lambda u: {"user_id" if k == "id" else snake(k): v for k, v in u.items()}, USER_ROW["id"])
user_fault("put-pascal-case", "all fields are shown with a capital (Id, Name, ...)",
           lambda u: {k[0].upper() + k[1:]: v for k, v in u.items()}, USER_ROW["id"])
user_fault("user-id-missing", "the user is shown without id", lambda u: {k: v for k, v in u.items() if k != "id"}, USER_ROW["id"])

OTHERWISE = seed_users()[1]      # used if a user lacks the field


def field_fault(field, label, what, change):
    def spoil(user):
        value = user.get(field)
        user[field] = change(OTHERWISE[field] if value is None else value)
        return user
    user_fault("user-%s-%s" % (field.lower(), label), "%s is shown as %s" % (field, what), spoil, USER_ROW[field])


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


BAD_DATES = (
    ("no-zone", "a date and time without zone", lambda v: v[:19]),
    ("date-only", "a date without time", lambda v: v[:10]),
    ("epoch", "seconds since 1970", lambda v: int(moment(v).timestamp())),
    ("epoch-ms", "milliseconds since 1970", lambda v: int(moment(v).timestamp() * 1000)),
    ("epoch-text", "milliseconds since 1970, as text", lambda v: str(int(moment(v).timestamp() * 1000))),
    ("http-date", "an HTTP date", lambda v: email.utils.format_datetime(moment(v).astimezone(datetime.timezone.utc), True)),
    ("impossible", "the 45th of a 13th month", lambda v: "2024-13-45T25:61:00.000Z"),
    ("local-form", "05/02/2024 07:45", lambda v: moment(v).strftime("%m/%d/%Y %H:%M")),
    ("empty", "''", lambda v: ""),
    ("object", "an object", lambda v: {"date": v}))

for _field, _label, _what, _change in (
        ("id", "string", "text", str), ("id", "null", "null", lambda v: None), ("id", "fraction", "1.5", lambda v: v + .5),
        ("id", "wrong", "another number", lambda v: v + 100), ("id", "object", "an object", lambda v: {"id": v}),
        ("isAPI", "string", "'false'", lambda v: str(v).lower()), ("isAPI", "number", "0 or 1", int),
        ("isAPI", "null", "null", lambda v: None),
        ("name", "number", "a number", lambda v: 7), ("name", "object", "{first, last}", lambda v: {"first": v, "last": ""}),
        ("name", "array", "a list", lambda v: [v]), ("name", "boolean", "true", lambda v: True),
        ("email", "null", "null", lambda v: None), ("email", "array", "a list", lambda v: [v]),
        ("email", "object", "an object", lambda v: {"address": v}), ("email", "boolean", "true", lambda v: True),
        ("username", "number", "a number", lambda v: 7), ("username", "boolean", "false", lambda v: False),
        ("username", "object", "an object", lambda v: {"value": v}),
        ("imageUrl", "null", "null", lambda v: None), ("imageUrl", "boolean", "false", lambda v: False),
        ("imageUrl", "object", "{url}", lambda v: {"url": v}),
        ("inviteLink", "null", "null", lambda v: None), ("inviteLink", "boolean", "false", lambda v: False),
        ("inviteLink", "object", "{href}", lambda v: {"href": v}),
        ("loginAttempts", "string", "text", str), ("loginAttempts", "null", "null", lambda v: None),
        ("loginAttempts", "fraction", "a fraction", lambda v: v + .5), ("loginAttempts", "boolean", "a boolean", bool),
        ("loginAttempts", "array", "a list of attempts", lambda v: []),
        ("emailSent", "string", "'true'", lambda v: str(v).lower()), ("emailSent", "number", "0 or 1", int),
        ("emailSent", "null", "null", lambda v: None), ("emailSent", "date", "the time of sending", lambda v: now()),
        ("rootRole", "string", "text of the id", str), ("rootRole", "role-name", "the name of the role", lambda v: ROLES.get(v, "Admin")),
        ("rootRole", "boolean", "true", lambda v: True), ("rootRole", "array", "a list", lambda v: [v]),
        ("rootRole", "null", "null", lambda v: None), ("rootRole", "fraction", "a fraction", lambda v: v + .5),
        ("accountType", "null", "null", lambda v: None), ("accountType", "number", "0", lambda v: 0),
        ("accountType", "object", "an object", lambda v: {"type": v}), ("accountType", "boolean", "true", lambda v: True),
        ("permissions", "string", "text with commas", ",".join), ("permissions", "null", "null", lambda v: None),
        ("permissions", "object", "an object", lambda v: dict.fromkeys(v, True)),
        ("permissions", "numbers", "a list of numbers", lambda v: [1, 2]),
        ("permissions", "objects", "a list of objects", lambda v: [{"name": p} for p in v or ["ADMIN"]]),
        ("permissions", "nulls", "a list with null", lambda v: v + [None]),
        ("scimId", "number", "a number", lambda v: 7), ("scimId", "boolean", "false", lambda v: False),
        ("scimId", "object", "an object", lambda v: {"value": v}),
        *(("createdAt",) + d for d in BAD_DATES), ("createdAt", "null", "null", lambda v: None),
        *(("seenAt",) + d for d in BAD_DATES), ("seenAt", "never", "the word 'never'", lambda v: "never")):
    field_fault(_field, _label, _what, _change)


# ======================================================== FAULTS: error body

def body_fault(name, what, change, breaks=S_ERRORS, arguable=""):
    @fault(name, what, breaks, arguable)
    class _(Service):
        def show_error(self, error):
            return change(super().show_error(error))


def without(field):
    return lambda e: {k: v for k, v in e.items() if k != field}


def with_value(field, value):
    return lambda e: {**e, field: value(e[field]) if callable(value) else value}


for _field in ("id", "name", "message"):
    body_fault("error-%s-missing" % _field, "errors have no %s" % _field, without(_field), S_ERRORS)
    body_fault("error-%s-null" % _field, "%s of errors is null" % _field, with_value(_field, None), ERROR_ROW[_field])
    body_fault("error-%s-empty" % _field, "%s of errors is ''" % _field, with_value(_field, ""), ERROR_ROW[_field],
               "" if _field == "name" else "'' is still a string")
    body_fault("error-%s-number" % _field, "%s of errors is a number" % _field, with_value(_field, 17), ERROR_ROW[_field])
    body_fault("error-%s-object" % _field, "%s of errors is an object" % _field,
               with_value(_field, lambda v: {"value": v}), ERROR_ROW[_field])
    body_fault("error-%s-array" % _field, "%s of errors is a list" % _field,
               with_value(_field, lambda v: [v]), ERROR_ROW[_field])
body_fault("error-id-constant", "all errors have the same id", with_value("id", "00000000-0000-0000-0000-000000000000"),
           ERROR_ROW["id"], "'Id of the error instance' is not further explained")
body_fault("error-id-is-name", "the id is the name of the error", lambda e: {**e, "id": e["name"]}, S_ERROR_ID,
           "'Id of the error instance' is not further explained")
body_fault("error-name-generic", "the name is always 'Error'", with_value("name", "Error"), ERROR_ROW["name"])
body_fault("error-name-lowercase", "the name is in lower case", with_value("name", str.lower), ERROR_ROW["name"])
body_fault("error-name-spaced", "'Validation Error', 'Not Found Error', ...",
           with_value("name", lambda v: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", v)), ERROR_ROW["name"])
body_fault("error-nested", "the body is under 'error'", lambda e: {"error": e})
body_fault("error-in-list", "the body is under 'errors', in a list", lambda e: {"errors": [e]})
body_fault("error-array", "the body is the one item of a list", lambda e: [e])
body_fault("error-string", "the body is a JSON string", lambda e: e["message"])
body_fault("error-null-body", "the body is null", lambda e: None)
body_fault("error-only-message", "the body is {message}", lambda e: {"message": e["message"]})
body_fault("error-own-names", "the body is {code, error, detail}",
           lambda e: {"code": e["id"], "error": e["name"], "detail": e["message"]})


def all_errors_fault(name, what, spoil, breaks=S_ERRORS):
    @fault(name, what, breaks)
    class _(Service):
        def error_response(self, call, error):
            response = super().error_response(call, error)
            spoil(response)
            return response


all_errors_fault("error-empty-body", "errors have no body", lambda r: (set_body(lambda b: b"")(r), set_media(None)(r)))
all_errors_fault("error-text-plain", "errors: JSON text announced as text/plain", set_media("text/plain"), S_JSON)
all_errors_fault("error-text-html", "errors: JSON text announced as text/html", set_media("text/html"), S_JSON)
all_errors_fault("error-no-content-type", "errors: no Content-Type", set_media(None), S_JSON)
all_errors_fault("error-html", "errors are HTML pages",
                 lambda r: (set_media("text/html")(r), set_body(lambda b: b"<h1>Error</h1>")(r)))
all_errors_fault("error-html-as-json", "errors are HTML pages announced as JSON", set_body(lambda b: b"<h1>Error</h1>"), S_JSON)
all_errors_fault("error-truncated", "the last byte of the JSON text of errors is missing", set_body(lambda b: b[:-1]), S_JSON)


# ========================================================== FAULTS: banners

def banners_fault(name, what, change, breaks=S_BANNERS200, arguable=""):
    @fault(name, what, breaks, arguable)
    class _(Service):
        def show_banners(self, call):
            return change(super().show_banners(call)["banners"])


banners_fault("banners-bare-array", "the answer is the list itself", lambda b: b)
banners_fault("banners-member-missing", "the answer is {}", lambda b: {}, S_BANNERS)
banners_fault("banners-null", "banners is null", lambda b: {"banners": None}, S_BANNERS)
banners_fault("banners-null-body", "the answer is null", lambda b: None)
banners_fault("banners-object", "banners is an object from id to banner", lambda b: {"banners": {str(x["id"]): x for x in b}}, S_BANNERS)
banners_fault("banners-single", "banners is one banner, not a list", lambda b: {"banners": b[0]}, S_BANNERS)
banners_fault("banners-string", "banners is a JSON string", lambda b: {"banners": json.dumps(b)}, S_BANNERS)
banners_fault("banners-count", "banners is the number of banners", lambda b: {"banners": len(b)}, S_BANNERS)
banners_fault("banners-boolean", "banners is true", lambda b: {"banners": True}, S_BANNERS)
banners_fault("banners-items-strings", "the items are the messages", lambda b: {"banners": [x["message"] for x in b]}, S_BANNERS)
banners_fault("banners-items-ids", "the items are the ids", lambda b: {"banners": [x["id"] for x in b]}, S_BANNERS)
banners_fault("banners-items-json", "the items are JSON strings", lambda b: {"banners": [json.dumps(x) for x in b]}, S_BANNERS)
banners_fault("banners-items-lists", "the items are lists", lambda b: {"banners": [[x] for x in b]}, S_BANNERS)
banners_fault("banners-items-null", "the items are null", lambda b: {"banners": [None for x in b]}, S_BANNERS)
banners_fault("banners-last-item-null", "a null ends the list", lambda b: {"banners": b + [None]}, S_BANNERS)
banners_fault("banners-first-item-only-object", "the first item is an object, the others are ids",
              lambda b: {"banners": b[:1] + [x["id"] for x in b[1:]]}, S_BANNERS)
banners_fault("banners-wrapped-data", "the answer is {data: {banners}}", lambda b: {"data": {"banners": b}})
banners_fault("banners-wrapped-in-list", "the answer is [{banners}]", lambda b: [{"banners": b}])
banners_fault("banners-as-items", "the list is under 'items'", lambda b: {"items": b}, S_BANNERS)
banners_fault("banners-as-capital", "the list is under 'Banners'", lambda b: {"Banners": b}, S_BANNERS)
banners_fault("banners-items-wrapped", "banners is {items, total}", lambda b: {"banners": {"items": b, "total": len(b)}}, S_BANNERS)
banners_fault("banners-none-listed", "the list is empty though there are banners", lambda b: {"banners": []}, S_LIST)
banners_fault("banners-first-only", "only the first banner is listed", lambda b: {"banners": b[:1]}, S_LIST)
banners_fault("banners-last-missing", "the last banner is not listed", lambda b: {"banners": b[:-1]}, S_LIST)
banners_fault("banners-enabled-only", "disabled banners are not listed",
              lambda b: {"banners": [x for x in b if x["enabled"]]}, S_LIST)
banners_fault("banners-sticky-only", "only sticky banners are listed",
              lambda b: {"banners": [x for x in b if x["sticky"]]}, S_LIST)
banners_fault("banners-repeated", "every banner is listed twice", lambda b: {"banners": b + b}, S_LIST)
banners_fault("banners-same-id", "all banners are shown with the id 1",
              lambda b: {"banners": [{**x, "id": 1} for x in b]}, BANNER_ROW["id"],
              "the banner fields are inferred from one sample")

for _field, _label, _change in (
        ("id", "string", str), ("id", "null", lambda v: None), ("id", "fraction", lambda v: v + .5),
        ("message", "number", lambda v: 5), ("message", "object", lambda v: {"markdown": v}), ("message", "array", lambda v: [v]),
        ("enabled", "string", lambda v: str(v).lower()), ("enabled", "number", int), ("enabled", "yes", lambda v: "yes"),
        ("variant", "number", lambda v: 1), ("variant", "object", lambda v: {"name": v}),
        ("sticky", "string", lambda v: str(v).lower()), ("sticky", "number", int),
        ("icon", "boolean", lambda v: True), ("icon", "object", lambda v: {"name": v}),
        ("link", "boolean", lambda v: True), ("link", "object", lambda v: {"href": v}),
        ("linkText", "number", lambda v: 5), ("linkText", "array", lambda v: [v]),
        ("dialogTitle", "boolean", lambda v: False), ("dialogTitle", "object", lambda v: {"text": v}),
        ("dialog", "boolean", lambda v: True), ("dialog", "object", lambda v: {"markdown": v}),
        *(("createdAt", d[0], d[2]) for d in BAD_DATES)):
    banners_fault("banner-%s-%s" % (_field.lower(), _label), "%s of banners is shown as %s" % (_field, _label),
                  lambda b, f=_field, c=_change: {"banners": [{**x, f: c(x[f])} for x in b]}, BANNER_ROW[_field],
                  "whether banner fields may be null is not shown" if _label == "null" else
                  "the types of banner fields are inferred from one sample")


@fault("banners-query-required", "400 unless ?limit= is given", S_NO_QUERY)
class _(Service):
    def list_banners(self, call):
        self.authenticate(call)
        if "limit" not in call.request.query:
            raise invalid("limit is required.")
        return self.banners_response(call)


@fault("banners-content-type-required", "GET without Content-Type is refused (400)", S_NO_QUERY)
class _(Service):
    def list_banners(self, call):
        self.authenticate(call)
        if "Content-Type" not in call.request.headers:
            raise invalid("Content-Type is required.")
        return self.banners_response(call)


@fault("banners-404-for-restricted", "a valid key that may not update users gets 404 for banners", S_BANNERS200,
       "which permission each operation requires is not shown, but 404 is not among the answers of GET banners")
class _(Service):
    def list_banners(self, call):
        self.authenticate(call)
        if call.caller == RESTRICTED:
            raise not_found("No such path.")
        return self.banners_response(call)


@fault("banners-post-only", "banners are listed by POST; GET is answered 405", S_GET)
class _(Service):
    list_methods = ("POST",)


@fault("banners-old-path", "banners are at /api/banners only", S_PREFIX)
class _(Service):
    banners_path = ("api", "banners")


@fault("banners-redirected", "GET banners is redirected (301) to a path with a final slash", S_GET)
class _(Service):
    def route(self, call):
        if call.request.segments == self.banners_path:
            response = Response(301)
            response.headers["Location"] = "/" + "/".join(self.banners_path) + "/"
            return response
        return super().route(call)

    def path_segments(self, call):
        segments = call.request.segments
        return segments[:-1] if segments == self.banners_path + ("",) else segments


@fault("banners-first-call-only", "the list is empty from the second call on", S_LIST)
class _(Service):
    def show_banners(self, call):
        shown, self.banners = super().show_banners(call), []
        return shown


@fault("banners-lost-by-put", "an update of a user removes a banner", S_LIST)
class _(Service):
    def apply(self, call):
        super().apply(call)
        self.banners = self.banners[:-1]


@fault("put-patch-only", "users are updated by PATCH; PUT is answered 405", S_PUT)
class _(Service):
    update_method = "PATCH"


@fault("put-post-only", "users are updated by POST; PUT is answered 405", S_PUT)
class _(Service):
    update_method = "POST"


@fault("put-old-path", "users are at /api/user-admin/:id only", S_PREFIX)
class _(Service):
    user_path = ("api", "user-admin")


@fault("put-users-path", "users are at /api/admin/users/:id only", S_PUT)
class _(Service):
    user_path = ("api", "admin", "users")


# ========================================================= CONFORMING VARIANTS

# -- what an update requires

@variant("empty-body-refused", "{} is refused with 400: at least one field is needed")
class _(Service):
    def validate(self, call):
        super().validate(call)
        if not call.changes:
            raise invalid("At least one field is needed.")


@variant("email-needed-without-username", "a user without username cannot be updated without email (400; user 3)")
class _(Service):
    def find_user(self, call):
        super().find_user(call)
        if call.user.get("username") is None and "email" not in call.changes:
            raise invalid("email must be provided if username is not provided.")


@variant("unknown-members-refused", "a body member that is not of the schema is refused with 400")
class _(Service):
    def unknown_member(self, call, field):
        raise invalid("%s is not a field of this body." % field)


@variant("duplicate-members-refused", "a body with a member twice is refused with 400")
class _(Service):
    def parse_json(self, raw):
        def once(pairs):
            if len(dict(pairs)) != len(pairs):
                raise ValueError("duplicate member")
            return dict(pairs)
        return json.loads(raw.decode("utf-8"), parse_float=finite, parse_constant=refuse_constant, object_pairs_hook=once)


@variant("email-lower-cased", "e-mails are stored and shown in lower case")
class _(Service):
    def check_field(self, call, field, value):
        value = super().check_field(call, field, value)
        return value.lower() if field == "email" else value


@variant("texts-trimmed", "blanks around name and email are cut off before storing", "nothing is said of normalising")
class _(Service):
    def check_field(self, call, field, value):
        value = super().check_field(call, field, value)
        return value.strip() if isinstance(value, str) else value


@variant("email-format-checked", "an email without @ and dot is refused with 400")
class _(Service):
    def check_field(self, call, field, value):
        value = super().check_field(call, field, value)
        if field == "email" and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", value):
            raise invalid("email is not an email address.")
        return value


@variant("email-unique", "an email of another user is refused with 400")
class _(Service):
    def find_user(self, call):
        super().find_user(call)
        if any(u is not call.user and "email" in call.changes and u.get("email") == call.changes["email"]
               for u in self.users.values()):
            raise invalid("email is taken.")


@variant("blank-name-refused", "a name of blanks only is refused with 400")
class _(Service):
    def check_field(self, call, field, value):
        value = super().check_field(call, field, value)
        if field == "name" and not value.strip():
            raise invalid("name must not be blank.")
        return value


@variant("long-text-refused", "name or email above 255 characters is refused with 400")
class _(Service):
    def check_field(self, call, field, value):
        value = super().check_field(call, field, value)
        if isinstance(value, str) and len(value) > 255:
            raise invalid("%s is too long." % field)
        return value


@variant("large-body-413", "a body above 10,000 bytes is refused with 413")
class _(Service):
    def check_media(self, call):
        if len(call.request.body) > 10_000:
            raise ApiError(413, "PayloadTooLarge", "The body is too large.", "size")
        super().check_media(call)


@variant("unknown-role-404", "a rootRole that does not exist is answered 404")
class _(Service):
    def unknown_role(self, call, value):
        raise not_found("No such role.", "role")


@variant("unknown-role-accepted", "a rootRole that does not exist is stored")
class _(Service):
    def unknown_role(self, call, value):
        return value


@variant("role-object-accepted", "rootRole may also be sent as {\"id\": 2}")
class _(Service):
    def check_role(self, call, value):
        return super().check_role(call, value.get("id") if isinstance(value, dict) else value)


@variant("role-name-accepted", "rootRole may also be sent as 'Admin', 'Editor', 'Viewer'",
         "the table says object and the sample is an integer; 'shape beyond that: not shown'")
class _(Service):
    def check_role(self, call, value):
        ids = {name: number for number, name in ROLES.items()}
        return super().check_role(call, ids.get(value, value) if isinstance(value, str) else value)


@variant("integral-float-refused", "2.0 as rootRole is refused with 400")
class _(Service):
    def check_role(self, call, value):
        if isinstance(value, float):
            raise invalid("rootRole must be an integer.")
        return super().check_role(call, value)


@variant("image-follows-email", "imageUrl is made from the email and follows it",
         "'the others keep their values', but a derived field has no value of its own")
class _(Service):
    def show_user(self, call):
        user = super().show_user(call)
        user["imageUrl"] = "https://img.example.com/" + urllib.parse.quote(str(user.get("email"))) + ".png"
        return user


# -- what a response shows

@variant("only-id-shown", "the answer to an update is {id}")
class _(Service):
    def show_user(self, call):
        return {"id": call.user_id}


@variant("changed-fields-shown", "the answer to an update is id and the sent fields")
class _(Service):
    def show_user(self, call):
        return {"id": call.user_id, **call.changes}


@variant("role-not-shown", "the answer to an update leaves out rootRole")
class _(Service):
    def show_user(self, call):
        user = super().show_user(call)
        user.pop("rootRole", None)
        return user


@variant("role-object-shown", "rootRole is shown as {id, name, type}")
class _(Service):
    def show_user(self, call):
        user = super().show_user(call)
        if "rootRole" in user:
            user["rootRole"] = {"id": user["rootRole"], "name": ROLES.get(user["rootRole"], "?"), "type": "root"}
        return user


@variant("sparse-users", "users have only id, name, email, rootRole")
class _(Service):
    def __init__(self, *keys):
        super().__init__(*keys)
        self.users = {i: {f: u[f] for f in ("id",) + BODY_FIELDS} for i, u in self.users.items()}


@variant("nothing-known-of-users", "users have only an id until something is sent")
class _(Service):
    def __init__(self, *keys):
        super().__init__(*keys)
        self.users = {i: {"id": i} for i in self.users}


@variant("null-names", "name and username are null (name until one is sent)")
class _(Service):
    def __init__(self, *keys):
        super().__init__(*keys)
        for user in self.users.values():
            user.update(name=None, username=None)


@variant("nulls-everywhere", "all nullable fields but name are null")
class _(Service):
    def __init__(self, *keys):
        super().__init__(*keys)
        for user in self.users.values():
            user.update(username=None, seenAt=None, scimId=None)


@variant("service-accounts", "accountType is 'Service Account', isAPI true, permissions empty")
class _(Service):
    def __init__(self, *keys):
        super().__init__(*keys)
        for user in self.users.values():
            user.update(accountType="Service Account", isAPI=True, permissions=[])


@variant("extra-members", "unknown members in users, banners, the list and errors")
class _(Service):
    extra = {"_links": {"self": "/"}, "version": 5, "note": None}

    def show_user(self, call):
        return {**super().show_user(call), **self.extra}

    def show_banners(self, call):
        shown = super().show_banners(call)
        return {"total": 3, "banners": [{**b, **self.extra} for b in shown["banners"]], **self.extra}

    def show_error(self, error):
        return {**super().show_error(error), "details": [{"message": error.message}], **self.extra}


@variant("integers-with-point", "integers are written 1.0", "JSON Schema takes 1.0 for an integer; not every client does")
class _(Service):
    def encode(self, document):
        def pointed(value):
            if isinstance(value, dict):
                return {k: pointed(v) for k, v in value.items()}
            if isinstance(value, list):
                return [pointed(v) for v in value]
            return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
        return super().encode(pointed(document))


@variant("pretty-printed", "JSON is indented, members sorted, with line ends around")
class _(Service):
    def encode(self, document):
        return ("\n" + json.dumps(document, indent=2, sort_keys=True) + "\n").encode("ascii")


@variant("compact-utf8", "JSON without blanks, characters as UTF-8 instead of \\u escapes")
class _(Service):
    def encode(self, document):
        try:
            return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        except UnicodeEncodeError:                        # a lone surrogate
            return super().encode(document)


def dates_variant(name, what, form):
    def change(document):
        if isinstance(document, list):
            return [change(d) for d in document]
        return {k: form(moment(v)) if k in ("createdAt", "seenAt") and v else change(v) if isinstance(v, list) else v
                for k, v in document.items()} if isinstance(document, dict) else document

    @variant(name, what)
    class _(Service):
        def show_user(self, call):
            return change(super().show_user(call))

        def show_banners(self, call):
            return change(super().show_banners(call))


UTC = datetime.timezone.utc
INDIA = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
NEWFOUNDLAND = datetime.timezone(-datetime.timedelta(hours=3, minutes=30))
dates_variant("dates-utc-z", "all dates in UTC with Z, no fraction", lambda d: d.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
dates_variant("dates-offset", "all dates with the offset +05:30", lambda d: d.astimezone(INDIA).isoformat(timespec="milliseconds"))
dates_variant("dates-negative-offset", "all dates with the offset -03:30, no fraction",
              lambda d: d.astimezone(NEWFOUNDLAND).isoformat(timespec="seconds"))
dates_variant("dates-zero-offset", "all dates with +00:00", lambda d: d.astimezone(UTC).isoformat(timespec="milliseconds"))
dates_variant("dates-microseconds", "all dates with six digits", lambda d: d.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
dates_variant("dates-nanoseconds", "all dates with nine digits", lambda d: d.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f000Z"))
dates_variant("dates-one-digit", "all dates with one digit of fraction", lambda d: d.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:21] + "Z")
dates_variant("dates-lower-case", "all dates with t and z in lower case (RFC 3339, 5.6)",
              lambda d: d.astimezone(UTC).strftime("%Y-%m-%dt%H:%M:%Sz"))


# -- banners

@variant("no-banners", "no banner is configured: the list is empty")
class _(Service):
    def __init__(self, *keys):
        super().__init__(*keys)
        self.banners = []


@variant("banners-only-ids", "banners have only an id")
class _(Service):
    def show_banners(self, call):
        return {"banners": [{"id": b["id"]} for b in self.banners]}


@variant("banners-empty-objects", "banners are {} (no field of theirs is known to be required)")
class _(Service):
    def show_banners(self, call):
        return {"banners": [{} for b in self.banners]}


@variant("banners-null-fields", "optional-looking fields of banners are null (icon, link, linkText, dialogTitle, dialog)")
class _(Service):
    def show_banners(self, call):
        empty = dict.fromkeys(("icon", "link", "linkText", "dialogTitle", "dialog"))
        return {"banners": [{**b, **empty} for b in super().show_banners(call)["banners"]]}


@variant("banners-shuffled", "banners come in another order each time")
class _(Service):
    def show_banners(self, call):
        shown = super().show_banners(call)
        random.shuffle(shown["banners"])
        return shown


@variant("banners-many", "500 banners")
class _(Service):
    def __init__(self, *keys):
        super().__init__(*keys)
        self.banners = [{**self.banners[i % 3], "id": i + 1} for i in range(500)]


@variant("banners-permission-needed", "the restricted key may not list banners (403)",
         "403 is shown for PUT only, yet which permission each operation requires is not shown")
class _(Service):
    def list_banners(self, call):
        self.authenticate(call)
        self.authorize(call)
        return self.banners_response(call)


# -- order of checks, kinds of refusal

@variant("existence-before-permission", "404 for an unknown user goes before 403")
class _(Service):
    steps = ("authenticate", "read_id", "find_user", "authorize", "check_media", "read_body", "validate")


@variant("validation-before-permission", "400 goes before 403")
class _(Service):
    steps = ("authenticate", "read_id", "check_media", "read_body", "validate", "authorize", "find_user")


@variant("existence-before-validation", "404 for an unknown user goes before 400")
class _(Service):
    steps = ("authenticate", "authorize", "read_id", "find_user", "check_media", "read_body", "validate")


@variant("syntax-before-keys", "malformed, missing or non-object bodies get 400 even without a key",
         "the order of the checks is not shown")
class _(Service):
    steps = ("check_media", "read_body", "authenticate", "authorize", "read_id", "validate", "find_user")


@variant("non-integer-id-404-html", "a path that is not /:integer is no route: 404 with an HTML page")
class _(Service):
    def error_response(self, call, error):
        if error.kind == "bad id":
            return Response(404, b"<!DOCTYPE html><title>404</title><p>Cannot PUT this path</p>", "text/html; charset=utf-8")
        return super().error_response(call, error)


@variant("non-integer-id-404", "a path that is not /:integer is answered 404 with the error body")
class _(Service):
    def parse_id(self, text):
        try:
            return super().parse_id(text)
        except ApiError:
            raise not_found("No such user.")


@variant("content-type-needed-415", "PUT without Content-Type is answered 415, and so is another type than JSON")
class _(Service):
    def check_media(self, call):
        media = call.request.headers.get("Content-Type", "")
        if media.split(";")[0].strip().lower() != "application/json":
            raise ApiError(415, "UnsupportedMediaType", "application/json is needed.", "415")


@variant("content-type-needed-400", "PUT without Content-Type is answered 400")
class _(Service):
    def check_media(self, call):
        if "Content-Type" not in call.request.headers:
            raise invalid("Content-Type is needed.", "media type")
        super().check_media(call)


@variant("content-type-ignored", "the body is read as JSON whatever Content-Type says")
class _(Service):
    def check_media(self, call):
        pass


@variant("accept-needed-406", "a request that does not name application/json (or */*) in Accept is answered 406")
class _(Service):
    def route(self, call):
        accept = call.request.headers.get("Accept", "")
        if "application/json" not in accept and "*/*" not in accept:
            raise ApiError(406, "NotAcceptable", "application/json only.", "406")
        return super().route(call)


@variant("bearer-also-accepted", "'Bearer KEY' is let in as well as KEY")
class _(Service):
    def presented_key(self, call):
        key = super().presented_key(call)
        return key[7:].strip() if key and key.lower().startswith("bearer ") else key


@variant("www-authenticate", "401 has WWW-Authenticate")
class _(Service):
    def finish(self, call, response):
        if response.status == 401:
            response.headers["WWW-Authenticate"] = 'ApiKey realm="admin"'
        return super().finish(call, response)


@variant("error-id-short", "ids of errors are counted: 'e1', 'e2', ...")
class _(Service):
    count = 0

    def show_error(self, error):
        self.count += 1
        return {**super().show_error(error), "id": "e%d" % self.count}


@variant("errors-problem-json", "errors are announced as application/problem+json",
         "'Bodies are JSON' names no media type of the answers")
class _(Service):
    def error_response(self, call, error):
        response = super().error_response(call, error)
        response.headers["Content-Type"] = "application/problem+json"
        return response


@variant("long-messages", "messages of errors are long, of several lines, not in ASCII")
class _(Service):
    def show_error(self, error):
        shown = super().show_error(error)
        shown["message"] = "Ungültig – nicht möglich:\n" + "\n".join([error.message] * 50)
        return shown


@variant("other-methods-404", "other methods on the two paths are answered 404 instead of 405, HEAD too")
class _(Service):
    list_methods = ("GET",)

    def method_not_allowed(self, call, allow):
        raise not_found("No such path.", "path")


@variant("patch-too", "PATCH does the same as PUT")
class _(Service):
    def route(self, call):
        if call.request.method == "PATCH":
            call.request.method = self.update_method
        return super().route(call)


@variant("trailing-slash", "a final slash on a path makes no difference")
class _(Service):
    def path_segments(self, call):
        segments = super().path_segments(call)
        return segments[:-1] if len(segments) > 1 and not segments[-1] else segments


@variant("path-case-ignored", "paths are compared without regard to case")
class _(Service):
    def path_segments(self, call):
        return tuple(s.lower() for s in super().path_segments(call))


@variant("rate-limited", "more than 20 requests within a second are answered 429 with Retry-After: 1")
class _(Service):
    def route(self, call):
        recent = self.__dict__.setdefault("recent", [])
        recent[:] = [t for t in recent if t > time.monotonic() - 1]
        if len(recent) >= 20:
            response = self.error_response(call, ApiError(429, "TooManyRequests", "Slow down.", "rate"))
            response.headers["Retry-After"] = "1"
            return response
        recent.append(time.monotonic())
        return super().route(call)


# -- transport

def finish_variant(name, what, touch):
    @variant(name, what)
    class _(Service):
        def finish(self, call, response):
            response = super().finish(call, response)
            touch(call, response)
            return response


def compress(call, response):
    if response.body and "gzip" in call.request.headers.get("Accept-Encoding", ""):
        response.body = gzip.compress(response.body)
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"


def media_variant(name, media):
    def touch(call, response):
        if response.headers.get("Content-Type") == "application/json":
            response.headers["Content-Type"] = media
    finish_variant(name, "Content-Type: " + media, touch)


finish_variant("connection-close", "the connection is closed after each answer", lambda c, r: setattr(r, "close", True))
finish_variant("gzip", "bodies are compressed for those who accept it", compress)
finish_variant("chunked", "bodies are sent in chunks, without Content-Length", lambda c, r: setattr(r, "chunked", True))
finish_variant("slow", "every answer takes 50 ms longer", lambda c, r: time.sleep(0.05))
finish_variant("lower-case-headers", "names of response headers are in lower case", lambda c, r: setattr(r, "lowercase", True))
finish_variant("more-headers", "ETag, Cache-Control, Set-Cookie, X-Request-Id and others are sent", lambda c, r: r.headers.update({
    "ETag": '"%08x"' % (hash(r.body) & 0xffffffff), "Cache-Control": "no-store", "Set-Cookie": "s=1; HttpOnly",
    "X-Request-Id": str(uuid.uuid4()), "Strict-Transport-Security": "max-age=1", "X-Content-Type-Options": "nosniff"}))
media_variant("charset", "application/json; charset=utf-8")
media_variant("media-type-case", "Application/JSON;charset=UTF-8")


@variant("http-1.0", "answers are HTTP/1.0 and the connection is closed")
class _(Service):
    http_version = "HTTP/1.0"


# ==================================================================== HTTP

class BadFraming(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    service = None                     # set in main
    wbufsize = -1                      # send head and body together
    disable_nagle_algorithm = True
    timeout = 60

    def setup(self):
        super().setup()
        self.connection_memory = {}

    def log_message(self, *args):
        pass

    def handle_expect_100(self):
        result = super().handle_expect_100()
        self.wfile.flush()
        return result

    def serve(self):
        try:
            body = self.read_request_body()
        except BadFraming as error:
            self.send_error(error.status, str(error))
            return
        request = Request(self.command, self.path, self.headers, body, self.connection_memory)
        self.reply(self.service.handle(request))

    do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = do_DELETE = do_OPTIONS = serve

    def read_request_body(self):
        coding = self.headers.get("Transfer-Encoding")
        length = self.headers.get_all("Content-Length") or ["0"]
        if coding is not None:
            if coding.strip().lower() != "chunked" or "Content-Length" in self.headers:
                raise BadFraming(400, "Transfer-Encoding is not understood.")
            return self.read_chunks()
        if len(set(length)) != 1 or not re.fullmatch(r"[0-9]{1,18}", length[0].strip()):
            raise BadFraming(400, "Content-Length is not understood.")
        wanted = int(length[0])
        if wanted > MAX_BODY:
            raise BadFraming(413, "The body is too large.")
        body = self.rfile.read(wanted)
        if len(body) < wanted:
            raise BadFraming(400, "The body is shorter than announced.")
        return body

    def read_chunks(self):
        body = b""
        while True:
            line = self.rfile.readline(1000).split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", line):
                raise BadFraming(400, "A chunk is not understood.")
            size = int(line, 16)
            if len(body) + size > MAX_BODY:
                raise BadFraming(413, "The body is too large.")
            if size == 0:
                while self.rfile.readline(1000).strip():          # trailers
                    pass
                return body
            body += self.rfile.read(size)
            if self.rfile.readline(1000).strip():
                raise BadFraming(400, "A chunk is not understood.")

    def reply(self, response):
        bodiless = response.status in (204, 304)
        chunked = response.chunked and not bodiless and self.protocol_version >= "HTTP/1.1" \
            and self.request_version >= "HTTP/1.1"
        headers = {"Date": email.utils.formatdate(usegmt=True), **response.headers}
        if chunked:
            headers["Transfer-Encoding"] = "chunked"
        elif not bodiless:
            headers["Content-Length"] = str(len(response.body))
        if response.close or self.close_connection:
            headers["Connection"] = "close"
        self.send_response_only(response.status)
        for name, value in headers.items():
            self.send_header(name.lower() if response.lowercase else name, value)
        self.end_headers()
        if self.command != "HEAD" and not bodiless:
            self.wfile.write(self.chunks(response.body) if chunked else response.body)

    @staticmethod
    def chunks(body, size=64):
        parts = [body[i:i + size] for i in range(0, len(body), size)] + [b""]
        return b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in parts)

    def send_error(self, code, message=None, explain=None):
        """Refuse below the API (unreadable request line, framing, unknown method)."""
        name = "ValidationError" if code == 400 else "HttpError"
        document = {"id": str(uuid.uuid4()), "name": name, "message": message or "Request not understood."}
        self.close_connection = True
        if self.request_version == "HTTP/0.9":            # unreadable request line: still send a head
            self.request_version = "HTTP/1.0"
        self.command = getattr(self, "command", None)
        self.reply(Response(code, json.dumps(document).encode()))
        self.wfile.flush()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request, client_address):
        error = sys.exc_info()[1]
        if not isinstance(error, (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


# ==================================================================== main

def remark(entry):
    return " (arguable: %s)" % entry.arguable if entry.arguable else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--admin-key")
    parser.add_argument("--restricted-key")
    parser.add_argument("--fault", metavar="NAME", help="be wrong in exactly one way")
    parser.add_argument("--lenient", metavar="NAME", action="append", default=[], help="a conforming variant (may be repeated)")
    parser.add_argument("--list-faults", action="store_true", help="NAME <TAB> the sentence it breaks")
    parser.add_argument("--list-variants", action="store_true", help="NAME <TAB> what differs")
    parser.add_argument("--describe-faults", action="store_true", help="NAME <TAB> what it does <TAB> the sentence")
    args = parser.parse_args()

    if args.list_faults or args.list_variants or args.describe_faults:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)     # for "| head"
        if args.list_faults:
            for name, entry in FAULTS.items():
                print("%s\t%s%s" % (name, entry.breaks, remark(entry)))
        if args.list_variants:
            for name, entry in VARIANTS.items():
                print("%s\t%s%s" % (name, entry.what, remark(entry)))
        if args.describe_faults:
            for name, entry in FAULTS.items():
                print("%s\t%s\t%s%s" % (name, entry.what, entry.breaks, remark(entry)))
        return 0

    if not args.admin_key or not args.restricted_key or args.admin_key == args.restricted_key:
        parser.error("--admin-key and --restricted-key are needed, and must differ")
    if args.fault and args.fault not in FAULTS:
        parser.error("no such fault: %s (see --list-faults)" % args.fault)
    for name in args.lenient:
        if name not in VARIANTS:
            parser.error("no such variant: %s (see --list-variants)" % name)

    bases = ([FAULTS[args.fault].cls] if args.fault else []) + [VARIANTS[n].cls for n in dict.fromkeys(args.lenient)]
    chosen = type("Chosen", tuple(bases) or (Service,), {})
    Handler.service = chosen(args.admin_key, args.restricted_key)
    Handler.protocol_version = chosen.http_version
    server = Server(("127.0.0.1", args.port), Handler)

    def stop(signum, frame):
        threading.Thread(target=server.shutdown, daemon=True).start()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print("listening http://127.0.0.1:%d" % server.server_address[1], flush=True)
    server.serve_forever(poll_interval=0.05)
    server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
