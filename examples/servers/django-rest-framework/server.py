"""The administrative API on Django REST framework, in one file, with its users in SQLite."""

from tempfile import mkdtemp
from uuid import uuid4

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{mkdtemp()}/users.sqlite3"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
    REST_FRAMEWORK={
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "EXCEPTION_HANDLER": "server.error_response",
    },
    ROOT_URLCONF=__name__,
)
django.setup()

from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.urls import path
from rest_framework import exceptions, generics, serializers, views
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.response import Response

KEYS = {"example-admin-key": True, "example-restricted-key": False}
ERROR_NAMES = {400: "ValidationError", 401: "AuthenticationRequired", 403: "NoAccessError", 404: "NotFoundError"}


class User(models.Model):
    name = models.TextField()
    email = models.TextField()
    username = models.TextField()
    root_role = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        app_label = "server"


class Caller:
    is_authenticated = True

    def __init__(self, may_update_users: bool):
        self.may_update_users = may_update_users


class KeyAuthentication(BaseAuthentication):
    def authenticate(self, request):
        key = request.headers.get("Authorization")
        if key not in KEYS:
            raise exceptions.NotAuthenticated()
        return Caller(KEYS[key]), key

    # [challenge] Without a value for WWW-Authenticate, REST framework makes 403 of every 401.
    def authenticate_header(self, request):
        return "ApiKey"


class MayUpdateUsers(BasePermission):
    def has_permission(self, request, view):
        return request.user.may_update_users


# [text] CharField makes "5" of 5.
class Text(serializers.CharField):
    def to_internal_value(self, data):
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


# [role] JSONField accepts every JSON value.
class Role(serializers.JSONField):
    def to_internal_value(self, data):
        if isinstance(data, bool) or not isinstance(data, (int, dict)):
            self.fail("invalid")
        return data


class UserSerializer(serializers.ModelSerializer):
    name = Text(allow_blank=True, trim_whitespace=False)
    email = Text(allow_blank=True, trim_whitespace=False)
    rootRole = Role(source="root_role")
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)

    class Meta:
        model = User
        fields = ["id", "name", "email", "username", "rootRole", "createdAt"]
        read_only_fields = ["id", "username"]

    # [update] save() writes every column: of two concurrent updates, the later one undoes the other.
    def update(self, user, changes):
        User.objects.filter(pk=user.pk).update(**changes)
        user.refresh_from_db()
        return user


class UserView(generics.UpdateAPIView):
    authentication_classes = [KeyAuthentication]
    permission_classes = [MayUpdateUsers]
    queryset = User.objects.all()
    serializer_class = UserSerializer
    http_method_names = ["put"]

    # [partial] PUT requires every field, and an empty body is an empty object.
    def put(self, request, *args, **kwargs):
        if not request.body:
            raise exceptions.ParseError("The body is empty.")
        return self.partial_update(request, *args, **kwargs)


class BannersView(views.APIView):
    authentication_classes = [KeyAuthentication]

    def get(self, request):
        created_at = "2026-02-28T12:00:00+01:00"
        return Response({"banners": [{"id": 1, "message": "Welcome", "enabled": True, "createdAt": created_at}]})


# [errors] REST framework's own body depends on the error, and a parser that gives up is not one of its errors.
def error_response(exception, context):
    if isinstance(exception, RecursionError):
        exception = exceptions.ParseError("The body is nested too deeply.")
    response = views.exception_handler(exception, context)
    if response is not None:
        name = ERROR_NAMES.get(response.status_code, "UnexpectedError")
        response.data = {"id": str(uuid4()), "name": name, "message": str(exception)}
    return response


urlpatterns = [
    path("api/admin/banners", BannersView.as_view()),
    path("api/admin/user-admin/<int:pk>", UserView.as_view()),
]

with connection.schema_editor() as editor:
    editor.create_model(User)
for pk, name, role in [(4, "Ann", 1), (5, "Bob", 2)]:
    texts = {"name": name, "email": f"{name.lower()}@example.com", "username": name.lower()}
    User.objects.create(pk=pk, root_role=role, created_at="2026-01-31T09:00:00Z", **texts)
application = get_wsgi_application()
