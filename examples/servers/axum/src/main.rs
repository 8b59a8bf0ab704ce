//! The administrative API on Axum, with its users and banners in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header::AUTHORIZATION};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::{Extension, Json, Router};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

#[derive(Clone, Deserialize, Serialize)]
#[serde(untagged)]
enum Role {
    Id(i64),
    Object(Map<String, Value>),
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct User {
    id: i64,
    name: String,
    email: String,
    username: &'static str,
    root_role: Role,
    created_at: &'static str,
}

// [sent] By itself an `Option` makes `None` of null, too.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changes {
    #[serde(default, deserialize_with = "sent")]
    name: Option<String>,
    #[serde(default, deserialize_with = "sent")]
    email: Option<String>,
    #[serde(default, deserialize_with = "sent")]
    root_role: Option<Role>,
}
fn sent<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

struct Error(StatusCode, String);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let name = match self.0 {
            StatusCode::BAD_REQUEST => "ValidationError",
            StatusCode::UNAUTHORIZED => "AuthenticationRequired",
            StatusCode::FORBIDDEN => "NoAccessError",
            StatusCode::NOT_FOUND => "NotFoundError",
            _ => "UnexpectedError",
        };
        let body = json!({ "id": uuid::Uuid::new_v4(), "name": name, "message": self.1 });
        (self.0, Json(body)).into_response()
    }
}

impl From<JsonRejection> for Error {
    fn from(rejection: JsonRejection) -> Self {
        Error(StatusCode::BAD_REQUEST, rejection.body_text())
    }
}

impl From<PathRejection> for Error {
    fn from(rejection: PathRejection) -> Self {
        Error(StatusCode::BAD_REQUEST, rejection.body_text())
    }
}

fn error(status: StatusCode, message: &str) -> Error {
    Error(status, message.into())
}

#[derive(Clone, Copy)]
struct Permissions {
    update_users: bool,
}

async fn authenticate(mut request: Request, next: Next) -> Result<Response, Error> {
    let permissions = match request.headers().get(AUTHORIZATION).map(|key| key.as_bytes()) {
        Some(b"example-admin-key") => Permissions { update_users: true },
        Some(b"example-restricted-key") => Permissions { update_users: false },
        _ => return Err(error(StatusCode::UNAUTHORIZED, "A valid API key is required.")),
    };
    request.extensions_mut().insert(permissions);
    Ok(next.run(request).await)
}

async fn list_banners() -> Json<Value> {
    let created_at = "2026-02-28T12:00:00+01:00";
    Json(json!({ "banners": [{ "id": 1, "message": "Welcome", "enabled": true, "createdAt": created_at }] }))
}

type Users = Arc<Mutex<HashMap<i64, User>>>;

// [rejections] Axum rejects in plain text, many with 422, and serde makes a struct of an array.
async fn update_user(
    State(users): State<Users>,
    Extension(permissions): Extension<Permissions>,
    id: Result<Path<i64>, PathRejection>,
    body: Result<Json<Map<String, Value>>, JsonRejection>,
) -> Result<Json<User>, Error> {
    if !permissions.update_users {
        return Err(error(StatusCode::FORBIDDEN, "This key cannot update users."));
    }
    let (Path(id), Json(body)) = (id?, body?);
    let changes: Changes = serde_json::from_value(Value::Object(body))
        .map_err(|problem| Error(StatusCode::BAD_REQUEST, problem.to_string()))?;

    let mut users = users.lock().unwrap();
    let user = users.get_mut(&id).ok_or(error(StatusCode::NOT_FOUND, "There is no such user."))?;
    let Changes { name, email, root_role } = changes;
    user.name = name.unwrap_or(user.name.clone());
    user.email = email.unwrap_or(user.email.clone());
    user.root_role = root_role.unwrap_or(user.root_role.clone());
    Ok(Json(user.clone()))
}

fn user(id: i64, name: &str, username: &'static str, role: i64) -> (i64, User) {
    let (name, email) = (name.into(), format!("{username}@example.com"));
    (id, User { id, name, email, username, root_role: Role::Id(role), created_at: "2026-01-31T09:00:00Z" })
}

#[tokio::main]
async fn main() {
    let users = HashMap::from([user(4, "Ann", "ann", 1), user(5, "Bob", "bob", 2)]);
    let app = Router::new()
        .route("/api/admin/banners", get(list_banners))
        .route("/api/admin/user-admin/{id}", put(update_user))
        .fallback(async || error(StatusCode::NOT_FOUND, "There is nothing here."))
        .layer(from_fn(authenticate))
        .with_state(Users::new(Mutex::new(users)));
    let port = std::env::var("PORT").unwrap_or("4242".into());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.unwrap();
    axum::serve(listener, app).await.unwrap();
}
