import { expect, test } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { check } from '../../conformance/engine/check.ts';
import type { User } from '../../contract/document.ts';
import { anError, brokenIn, json, judged, outcomesOf, type Script, scripted, targetOver } from './api.ts';

const ACCEPTS = check('update-name', {
  title: 'Updating only `name`',
  requirement: 'update.success-is-200',
  run: (on) => on.user.accepts({ name: `Plain ${on.fresh.name()}` }),
});
const STORES = check('name-odd', {
  title: 'A name is stored or refused',
  requirement: 'update.values-faithful',
  values: (on) => [{ name: `${on.fresh.name()} <b>` }],
});
const REFUSES = check('name-type', {
  title: 'A number is refused',
  requirement: 'request-body.name-type',
  refusedWith: [400],
  requests: (on) => [on.user.update({ name: 5 })],
});

const bodyOf = (body: string | Buffer = ''): Partial<User> => parsedJson(body.toString()) ?? {};

/** Responds in another way to the requests whose name is like this. */
function named(form: RegExp, instead: Script): Script {
  return (request, respond, store) =>
    form.test(String(bodyOf(request.body).name)) ? instead(request, respond, store) : respond();
}
const PLAIN = /^Plain /;

/** Carries the request out, and then gives members of a user other values. */
function thenChanging(change: (before: User) => Partial<User>, id = 1): Script {
  return async (_request, respond, { users }) => {
    const before = users.get(1) ?? { id };
    const response = await respond();
    users.set(id, { ...(users.get(id) ?? { id }), ...change(before) });
    return response;
  };
}

const notStored = thenChanging(({ name }) => ({ name: name ?? null }));
const notShown: Script = async (_request, respond, { users }) => {
  const before = users.get(1);
  await respond();
  return json(200, before);
};

async function brokenBy(script: Script, ...checks: Parameters<typeof judged>[1][]) {
  return brokenIn(await judged(targetOver(scripted(script).transport), ...checks));
}

test('a good server breaks nothing', async () => {
  const judgement = await judged(targetOver(scripted().transport), ACCEPTS, STORES, REFUSES);
  expect(new Set(Object.values(outcomesOf(judgement)))).toEqual(new Set(['passed']));
});

test('a server that refuses `{}` and unknown members is read by updates with the role that it has', async () => {
  const isKnown = (body: object): boolean => ['name', 'email', 'rootRole'].some((each) => Object.hasOwn(body, each));
  const strict: Script = (request, respond) =>
    isKnown(bodyOf(request.body)) ? respond() : anError(400, 'ValidationError');
  const judgement = await judged(targetOver(scripted(strict).transport), ACCEPTS, STORES, REFUSES);
  expect(new Set(Object.values(outcomesOf(judgement)))).toEqual(new Set(['passed']));
  const lossy: Script = (request, respond, store) =>
    strict(request, async () => named(PLAIN, notStored)(request, respond, store), store);
  expect(Object.keys(await brokenBy(lossy, ACCEPTS))).toEqual(['update.sent-fields-change']);
});

test.each([
  ['is refused', json(418, {}), 'update.success-is-200', /^Updating only `name` got 418$/],
  ['is not stored', notStored, 'update.sent-fields-change', /`name`/],
  ['is stored, and not shown', notShown, 'update.answer-shows-user', /`name`/],
  [
    'clears another member',
    thenChanging(() => ({ email: '' })),
    'update.unsent-fields-keep',
    /^Updating only `name` cleared `email` \(was /,
  ],
  [
    'changes another user: then that alone is said',
    thenChanging(({ name }) => ({ name: `${name ?? ''}.` }), 2),
    'update.addressed-user-only',
    /user 2/,
  ],
] as const)('an update that must be accepted %s', async (_what, instead, requirement, title) => {
  const script = typeof instead === 'function' ? instead : () => instead;
  expect(await brokenBy(named(PLAIN, script), ACCEPTS)).toEqual({
    [requirement]: expect.stringMatching(title) as string,
  });
});

test('an update that is refused for a header says so', async () => {
  const type = 'Application/JSON';
  const run = check('type', {
    title: 'The media type is recognized in capitals',
    requirement: 'request-body.media-type-forms',
    run: (on) => on.user.accepts({ name: on.fresh.name() }, { headers: { 'Content-Type': type } }),
  });
  const script: Script = ({ headers }, respond) => (Object.values(headers).includes(type) ? json(415, {}) : respond());
  const title = 'Updating only `name` with `Content-Type: Application/JSON` got 415';
  expect(Object.values(await brokenBy(script, run))).toEqual([title]);
});
