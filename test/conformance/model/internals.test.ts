import { describe, expect, it } from 'vitest';
import { internalsIn } from '../../../conformance/model/internals.ts';

const TRACE = 'a stack trace';
const DATABASE = 'a message of the database';
const QUERY = 'a query';

/** What an error with this message shows, and a page with it. */
const shownIn = (message: string): readonly unknown[] =>
  [JSON.stringify({ name: 'ValidationError', message }), `<pre>${message}</pre>`].map((text) =>
    internalsIn({ status: 400, headers: {}, text, json: { ok: false, reason: 'it is not read' } }),
  );

describe('finds in an error', () => {
  it.each([
    ['Error: x\n    at update (/srv/app/users.js:12:7)', TRACE],
    ['Error: x\n    at file:///srv/app/users.mjs:3:1', TRACE],
    ['java.lang.IllegalStateException: x\n\tat com.example.Users.update(Users.java:12)', TRACE],
    ['System.Exception: x\n   at Users.Update(Int32 id) in /src/Users.cs:line 12', TRACE],
    ["app/users.rb:12:in `update'", TRACE],
    ['#0 /srv/app/users.php(12): update()', TRACE],
    ['goroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d', TRACE],
    ['Traceback (most recent call last):\n  File "/srv/app/users.py", line 12, in update', TRACE],
    ['  File "/srv/app/users.py", line 12, in update', TRACE],
    ['at Users$.update(Users.scala:12)', TRACE],
    ['  3: app::update\n        at ./src/users.rs:12:5', TRACE],
    ["thread 'main' panicked at src/main.rs:12:5", TRACE],
    ['SQLSTATE[22P02]: Invalid text representation', DATABASE],
    ['ORA-00001: unique constraint (USERS.EMAIL) violated', DATABASE],
    ['SQLITE_CONSTRAINT: UNIQUE constraint failed: users.email', DATABASE],
    ['ER_DUP_ENTRY: Duplicate entry', DATABASE],
    ['(psycopg2.errors.UniqueViolation) duplicate key', DATABASE],
    ['psycopg.errors.UniqueViolation: duplicate key', DATABASE],
    ['x\nPG::UniqueViolation: ERROR: duplicate key', DATABASE],
    ['null value in column "name" violates not-null constraint', DATABASE],
    ['select * from "users" where "id" = $1 - value "4294967299" is out of range', QUERY],
    ['SELECT id\n  FROM users\n WHERE id = ?', QUERY],
    ['select * from users limit $1', QUERY],
    ['INSERT INTO users (name) VALUES (?)', QUERY],
    ['insert into users(name) values ($1)', QUERY],
    ['UPDATE users SET name = $1', QUERY],
    ['update "users"\n   set "name" = ?', QUERY],
    ['delete from users where id = 4', QUERY],
    ['The name is no string (at /name:1:3, see https://docs.example:8443/errors.html#12)', undefined],
    ['Select a role from the list of roles, or update it and set the rest.', undefined],
    ['Select a role; names from the list: a=1', undefined],
    ['Only an admin may insert into this (or delete from it); values are kept.', undefined],
    ['orders.UserError: ORA-1 and USER_NOT_FOUND', undefined],
  ])('%s', (message, what) => expect(shownIn(message)).toEqual([what, what]));

  it('looks at the beginning', () => expect(shownIn(`${' '.repeat(9_000)}SQLSTATE`)).toEqual([undefined, undefined]));

  it('frames that are objects', () => {
    const trace = [{ file: '/srv/app/users.php', line: 12 }];
    expect(shownIn(JSON.stringify({ trace }))[1]).toBe(TRACE);
    expect(shownIn(JSON.stringify({ trace }, null, 2))[1]).toBe(TRACE);
  });
});
