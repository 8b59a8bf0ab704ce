<?php
// The administrative API in plain PHP, with its users in SQLite. create-users.php makes the database that USERS names.
declare(strict_types=1);

const KEYS = ['example-admin-key' => ['users:write'], 'example-restricted-key' => []];
const ERROR_NAMES = [
    400 => 'ValidationError',
    401 => 'AuthenticationRequired',
    403 => 'NoAccessError',
    404 => 'NotFoundError',
];
const BANNERS = [['id' => 1, 'message' => 'Welcome', 'enabled' => true, 'createdAt' => '2026-02-28T12:00:00+01:00']];

class HttpError extends Exception
{
    public function __construct(public readonly int $status, string $message)
    {
        parent::__construct($message);
    }
}

// [media-type] PHP says text/html of everything.
function respond(int $status, array|object $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
}

// [errors] PHP prints what nobody caught, with the status 200 or 500, and its warnings into the body.
ini_set('display_errors', '0');
set_exception_handler(function (Throwable $error): void {
    $status = $error instanceof HttpError ? $error->status : 500;
    $message = $error instanceof HttpError ? $error->getMessage() : 'The server failed.';
    $name = ERROR_NAMES[$status] ?? 'UnexpectedError';
    respond($status, ['id' => bin2hex(random_bytes(16)), 'name' => $name, 'message' => $message]);
});

// [key] getallheaders() has the names as the client wrote them.
function keyOfRequest(): ?string
{
    return $_SERVER['HTTP_AUTHORIZATION'] ?? null;
}

/** The permissions of the caller. */
function permissions(): array
{
    return KEYS[keyOfRequest() ?? ''] ?? throw new HttpError(401, 'A valid API key is required.');
}

// [body] With the second argument true, {} and [] are the same array.
function bodyOfRequest(): object
{
    $body = json_decode(file_get_contents('php://input'));
    return is_object($body) ? $body : throw new HttpError(400, 'The body must be a JSON object.');
}

// [sent] isset() skips null, and a column of SQLite takes values of any type.
function changesIn(object $body): array
{
    $types = [
        'name' => is_string(...),
        'email' => is_string(...),
        'rootRole' => fn (mixed $value): bool => is_int($value) || is_object($value),
    ];
    $sent = array_intersect_key(get_object_vars($body), $types);
    foreach ($sent as $member => $value) {
        $types[$member]($value) || throw new HttpError(400, "The type of $member is wrong.");
    }
    return $sent;
}

function findUser(PDO $db, int $id): object
{
    $select = $db->prepare('SELECT * FROM users WHERE id = ?');
    $select->execute([$id]);
    $user = $select->fetch(PDO::FETCH_OBJ) ?: throw new HttpError(404, 'There is no such user.');
    $user->rootRole = json_decode($user->rootRole);
    return $user;
}

function updateUser(string $id): object
{
    in_array('users:write', permissions(), true) || throw new HttpError(403, 'This key cannot update users.');

    // [path-id] (int) '4abc' is 4, and what is beyond 64 bits is the largest integer.
    $id = filter_var($id, FILTER_VALIDATE_INT);
    $id !== false || throw new HttpError(400, 'The user id must be an integer.');

    $db = new PDO('sqlite:' . getenv('USERS'), null, null, [PDO::ATTR_TIMEOUT => 10]);
    findUser($db, $id);
    $changes = changesIn(bodyOfRequest());
    if (isset($changes['rootRole'])) $changes['rootRole'] = json_encode($changes['rootRole']);

    // [columns] An UPDATE of all columns would undo what another request stores at the same time.
    foreach ($changes as $member => $value) $columns[] = "$member = :$member";
    if (isset($columns)) $db->prepare('UPDATE users SET ' . implode(', ', $columns) . " WHERE id = $id")->execute($changes);

    return findUser($db, $id);
}

permissions();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '';
$route = $_SERVER['REQUEST_METHOD'] . ' ' . $path;
if ($route === 'GET /api/admin/banners') respond(200, ['banners' => BANNERS]);
elseif (preg_match('#^PUT /api/admin/user-admin/([^/]+)$#', $route, $match)) respond(200, updateUser(rawurldecode($match[1])));
else throw new HttpError(404, 'There is nothing here.');
