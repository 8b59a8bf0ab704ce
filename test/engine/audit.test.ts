import { expect, test } from 'vitest';
import { Audit } from '../../conformance/engine/audit.ts';
import { Shown } from '../../conformance/engine/shown.ts';
import type { Exchange, Request } from '../../conformance/http/exchange.ts';

const KEY = 'audit-admin-Key-1';
const UPDATE: Request = { operation: 'updateUser', path: '/api/admin/user-admin/1', headers: {}, body: '{}' };
const LIST: Request = { operation: 'listBanners', path: '/api/admin/banners', headers: {} };
const USER = { id: 1, name: 'Ada', email: 'ada@example.com', createdAt: '2026-01-02T03:04:05Z' };
const ERROR = { id: 'a', name: 'ValidationError', message: 'Wrong.' };

function exchange(request: Request, status: number, body: unknown, type = 'application/json'): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { request, response: { status, headers: { 'content-type': type }, text, json }, startedMs: 0, durationMs: 1 };
}

/** The requirements that some exchanges break. */
function brokenBy(...exchanges: readonly Exchange[]): string[] {
  const audit = new Audit(
    { baseUrl: new URL('http://a.test'), adminKey: KEY, emailDomain: 'example.com' },
    new Shown(),
  );
  for (const each of exchanges) audit.look(each, each);
  audit.conclude(() => true);
  return [...audit.violations.keys()];
}

test('a good user, list and error break nothing', () => {
  const list = {
    banners: [
      { id: 1, message: 'x' },
      { id: 2, dialog: null },
    ],
  };
  expect(brokenBy(exchange(UPDATE, 200, USER), exchange(LIST, 200, list), exchange(UPDATE, 400, ERROR))).toEqual([]);
});

test('a link to a place in the documentation is no stack trace', () => {
  const message = 'See https://docs.example.com/errors/app.js:12 for help.';
  expect(brokenBy(exchange(UPDATE, 400, { ...ERROR, message }))).toEqual([]);
});

test('an error id that comes twice is told', () => {
  expect(brokenBy(exchange(UPDATE, 400, ERROR), exchange(UPDATE, 400, ERROR))).toEqual(['errors.id-per-instance']);
});

test('a status that the contract does not list is not looked at', () => {
  expect(brokenBy(exchange(UPDATE, 422, '<html>'))).toEqual([]);
});

test('a body that the request leaves open is not looked at', () => {
  expect(brokenBy(exchange({ ...UPDATE, openBodies: [404] }, 404, '<html>'))).toEqual([]);
});

test('what is dropped does not count', () => {
  const audit = new Audit({ baseUrl: new URL('http://a.test'), emailDomain: 'example.com' }, new Shown());
  const wrong = exchange(UPDATE, 400, {});
  audit.look(wrong, wrong);
  audit.conclude(() => false);
  expect(audit.violations.size).toBe(0);
});
