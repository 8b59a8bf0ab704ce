"""The administrative API on FastAPI, with its users and banners in memory."""

from datetime import datetime
from typing import Annotated, Any
from uuid import uuid4

import orjson
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import APIKeyHeader
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException as StarletteHTTPException

KEYS = {"example-admin-key": {"users:write"}, "example-restricted-key": set()}
ERROR_NAMES = {400: "ValidationError", 401: "AuthenticationRequired", 403: "NoAccessError", 404: "NotFoundError"}


# [changes] `str | None` would accept null. A default is not validated, and strict converts nothing.
class Changes(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str = Field(default=None)
    email: str = Field(default=None)
    rootRole: int | dict[str, Any] = Field(default=None)


class User(BaseModel):
    id: int
    name: str
    email: str
    username: str
    rootRole: int | dict[str, Any]
    createdAt: datetime


class Banner(BaseModel):
    id: int
    message: str
    enabled: bool
    createdAt: datetime


class Banners(BaseModel):
    banners: list[Banner]


JOINED = "2026-01-31T09:00:00Z"
users = {
    4: User(id=4, name="Ann", email="ann@example.com", username="ann", rootRole=1, createdAt=JOINED),
    5: User(id=5, name="Bob", email="bob@example.com", username="bob", rootRole=2, createdAt=JOINED),
}
banners = [Banner(id=1, message="Welcome", enabled=True, createdAt="2026-02-28T12:00:00+01:00")]

# [json] Starlette's own json() accepts NaN, and half of a surrogate pair, which no response can show.
class StrictRequest(Request):
    async def json(self) -> Any:
        return orjson.loads(await self.body())


# [json] A route makes the request that its endpoint reads.
class StrictRoute(APIRoute):
    def get_route_handler(self):
        handler = super().get_route_handler()
        async def handle(request: Request):
            return await handler(StrictRequest(request.scope, request.receive))
        return handle


app = FastAPI(title="Administrative API")

# [json] This holds for the routes that follow.
app.router.route_class = StrictRoute

api_key = APIKeyHeader(name="Authorization", auto_error=False)


def permissions(key: Annotated[str | None, Depends(api_key)]) -> set[str]:
    if key not in KEYS:
        raise HTTPException(401, "A valid API key is required.")
    return KEYS[key]


Permissions = Annotated[set[str], Depends(permissions)]


def may_update_users(granted: Permissions) -> None:
    if "users:write" not in granted:
        raise HTTPException(403, "This key cannot update users.")


@app.get("/api/admin/banners", dependencies=[Depends(permissions)])
async def list_banners() -> Banners:
    return Banners(banners=banners)


@app.put("/api/admin/user-admin/{id}", dependencies=[Depends(may_update_users)])
async def update_user(id: int, changes: Changes) -> User:
    if id not in users:
        raise HTTPException(404, "There is no such user.")
    users[id] = users[id].model_copy(update=changes.model_dump(exclude_unset=True))
    return users[id]


def error(status: int, message: str) -> JSONResponse:
    name = ERROR_NAMES.get(status, "UnexpectedError")
    return JSONResponse({"id": str(uuid4()), "name": name, "message": message}, status)


# [errors] FastAPI's own body is {"detail": …}. Starlette's exception is the base of FastAPI's.
@app.exception_handler(StarletteHTTPException)
async def http_error(_request, exception: StarletteHTTPException) -> JSONResponse:
    return error(exception.status_code, exception.detail)


# [validation] FastAPI refuses an invalid body with 422.
@app.exception_handler(RequestValidationError)
async def validation_error(_request, exception: RequestValidationError) -> JSONResponse:
    return error(400, "; ".join(each["msg"] for each in exception.errors()))
