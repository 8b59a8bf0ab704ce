<?php
// Creates the users in the database that USERS names.
$db = new PDO('sqlite:' . getenv('USERS'));
$db->exec('PRAGMA journal_mode = WAL');
$db->exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, username TEXT, rootRole TEXT, createdAt TEXT)');
$insert = $db->prepare('INSERT INTO users VALUES (?, ?, ?, ?, ?, ?)');
$insert->execute([4, 'Ann', 'ann@example.com', 'ann', '1', '2026-01-31T09:00:00Z']);
$insert->execute([5, 'Bob', 'bob@example.com', 'bob', '2', '2026-01-31T09:00:00Z']);
