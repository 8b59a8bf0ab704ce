"""The administrative API on Flask, with its users and banners in memory."""

import json
from datetime import datetime, timezone
from functools import wraps
from uuid import uuid4

from flask import Flask, abort, g, jsonify, request
from werkzeug.exceptions import HTTPException

KEYS = {"example-admin-key": {"users:write"}, "example-restricted-key": set()}
ERROR_NAMES = {400: "ValidationError", 401: "AuthenticationRequired", 403: "NoAccessError", 404: "NotFoundError"}

JOINED = datetime(2026, 1, 31, 9, tzinfo=timezone.utc)
users = {
    4: {"id": 4, "name": "Ann", "email": "ann@example.com", "username": "ann", "rootRole": 1, "createdAt": JOINED},
    5: {"id": 5, "name": "Bob", "email": "bob@example.com", "username": "bob", "rootRole": 2, "createdAt": JOINED},
}
BANNER_TIME = datetime(2026, 2, 28, 11, tzinfo=timezone.utc)
banners = [{"id": 1, "message": "Welcome", "enabled": True, "createdAt": BANNER_TIME}]

app = Flask(__name__)

# [dates] jsonify writes a datetime as HTTP does: "Sat, 31 Jan 2026 09:00:00 GMT".
app.json.default = lambda value: value.isoformat()


@app.before_request
def authenticate():
    g.permissions = KEYS.get(request.headers.get("Authorization"))
    if g.permissions is None:
        abort(401, "A valid API key is required.")


def may_update_users(view):
    @wraps(view)
    def checked(*args, **kwargs):
        if "users:write" not in g.permissions:
            abort(403, "This key cannot update users.")
        return view(*args, **kwargs)

    return checked


# [json] get_json() takes NaN, and halves of surrogate pairs, fails at deep nesting, and wants a Content-Type.
def reject(constant):
    raise ValueError(f"{constant} is not JSON.")


# [json] All of these errors are the client's.
def body_of_request():
    try:
        text = request.get_data().decode("utf-8")
        body = json.loads(text, parse_constant=reject)
        json.dumps(body, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        abort(400, "The body is not JSON in UTF-8.")
    return body


# [types] A bool is an int in Python.
def is_role(value):
    return isinstance(value, dict) or (isinstance(value, int) and not isinstance(value, bool))


# [types] The body itself need not be an object.
UPDATABLE = {
    "name": lambda value: isinstance(value, str),
    "email": lambda value: isinstance(value, str),
    "rootRole": is_role,
}


# [sent] What was sent is judged by its presence, not by its value.
def changes_in(body):
    if not isinstance(body, dict):
        abort(400, "The body must be a JSON object.")
    sent = {member: body[member] for member in UPDATABLE if member in body}
    for member, value in sent.items():
        if not UPDATABLE[member](value):
            abort(400, f"The type of {member} is wrong.")
    return sent


@app.get("/api/admin/banners")
def list_banners():
    return jsonify(banners=banners)


@app.put("/api/admin/user-admin/<int:user_id>")
@may_update_users
def update_user(user_id):
    if user_id not in users:
        abort(404, "There is no such user.")
    users[user_id].update(changes_in(body_of_request()))
    return jsonify(users[user_id])


# [errors] Flask sends a page in HTML.
@app.errorhandler(HTTPException)
def send_error(error):
    name = ERROR_NAMES.get(error.code, "UnexpectedError")
    return jsonify(id=str(uuid4()), name=name, message=error.description), error.code
