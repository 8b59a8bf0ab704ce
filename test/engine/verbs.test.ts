import { describe, expect, test } from 'vitest';
import { check } from '../../conformance/engine/check.ts';
import { parsedJson } from '../../common/json.ts';
import { anError, brokenIn, json, judged, outcomesOf, type Script, scripted, targetOver } from './api.ts';

const UPDATE_NAME = check('update-name', {
  title: 'Updating only `name`',
  requirement: 'update.success-is-200',
  run: (on) => on.user.accepts({ name: on.fresh.name() }),
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

interface Body {
  readonly name?: unknown;
  readonly email?: string;
}

/** Whether an update sends `name` alone, as a text that is no value of the opening's. */
const bodyOf = (body: string | Buffer = ''): Body => parsedJson(body.toString()) ?? {};
const isNameAlone = (body: Body): boolean => typeof body.name === 'string' && Object.keys(body).length === 1;

/** Lets the opening pass, and then does something else. */
function afterOpening(script: Script): Script {
  let updates = 0;
  return (request, respond, store) => {
    if (request.method === 'PUT' && request.body !== '{}') updates += 1;
    return updates > 17 ? script(request, respond, store) : respond();
  };
}

async function brokenBy(script: Script, ...checks: Parameters<typeof judged>[1][]) {
  return brokenIn(await judged(targetOver(scripted(script).transport), ...checks));
}

test('a good server breaks nothing', async () => {
  const judgement = await judged(targetOver(scripted().transport), UPDATE_NAME, STORES, REFUSES);
  expect(brokenIn(judgement)).toEqual({});
  expect(new Set(Object.values(outcomesOf(judgement)))).toEqual(new Set(['passed']));
});

test('a server that refuses `{}` and unknown members is read by updates with the role that it has', async () => {
  const isKnown = (body: object): boolean => ['name', 'email', 'rootRole'].some((each) => Object.hasOwn(body, each));
  const strict: Script = (request, respond) =>
    isKnown(bodyOf(request.body)) ? respond() : anError(400, 'ValidationError');
  const judgement = await judged(targetOver(scripted(strict).transport), UPDATE_NAME, STORES, REFUSES);
  expect(new Set(Object.values(outcomesOf(judgement)))).toEqual(new Set(['passed']));
  const lossy = afterOpening(async (request, respond, store) => {
    const { name } = store.users.get(1) ?? {};
    const response = await strict(request, respond, store);
    const user = store.users.get(1);
    if (isNameAlone(bodyOf(request.body)) && user) store.users.set(1, { ...user, name: name ?? null });
    return response;
  });
  expect(Object.keys(await brokenBy(lossy, UPDATE_NAME))).toEqual(['update.sent-fields-change']);
});

describe('an update that must be accepted', () => {
  test('is refused', async () => {
    const script = afterOpening((request, respond) => (isNameAlone(bodyOf(request.body)) ? json(418, {}) : respond()));
    expect(await brokenBy(script, UPDATE_NAME)).toEqual({ 'update.success-is-200': 'Updating `name` got 418' });
  });

  test('is refused for a header, and says so', async () => {
    const type = 'Application/JSON';
    const run = check('type', {
      title: 'The media type is recognized in capitals',
      requirement: 'request-body.media-type-forms',
      run: (on) => on.user.accepts({ name: on.fresh.name() }, { headers: { 'Content-Type': type } }),
    });
    const script: Script = ({ headers }, respond) =>
      Object.values(headers).includes(type) ? json(415, {}) : respond();
    const title = 'Updating `name` with `Content-Type: Application/JSON` got 415';
    expect(Object.values(await brokenBy(script, run))).toEqual([title]);
  });

  test('is not stored', async () => {
    const script = afterOpening(async (request, respond, store) => {
      const { name } = store.users.get(1) ?? {};
      const response = await respond();
      const user = store.users.get(1);
      if (isNameAlone(bodyOf(request.body)) && user) store.users.set(1, { ...user, name: name ?? null });
      return response;
    });
    expect(Object.keys(await brokenBy(script, UPDATE_NAME))).toEqual(['update.sent-fields-change']);
  });

  test('is stored, and not shown', async () => {
    const script = afterOpening(async (request, respond, store) => {
      const before = store.users.get(1);
      await respond();
      return isNameAlone(bodyOf(request.body)) ? json(200, before) : json(200, store.users.get(1));
    });
    expect(Object.keys(await brokenBy(script, UPDATE_NAME))).toEqual(['update.answer-shows-user']);
  });

  test('clears another member', async () => {
    const script = afterOpening(async (request, respond, store) => {
      const user = store.users.get(1);
      if (isNameAlone(bodyOf(request.body)) && user) store.users.set(1, { ...user, email: '' });
      return respond();
    });
    const broken = await brokenBy(script, UPDATE_NAME);
    expect(Object.keys(broken)).toEqual(['update.unsent-fields-keep']);
    expect(broken['update.unsent-fields-keep']).toMatch(/^Updating only `name` cleared `email` \(was /);
  });

  test('changes another user: then that alone is said', async () => {
    const script = afterOpening(async (request, respond, store) => {
      const [response, other] = [await respond(), store.users.get(2)];
      const { name } = bodyOf(request.body);
      if (isNameAlone({ name }) && other) store.users.set(2, { ...other, name: String(name) });
      return response;
    });
    expect(Object.keys(await brokenBy(script, UPDATE_NAME))).toEqual(['update.addressed-user-only']);
  });
});

describe('an unusual value', () => {
  const isOdd = (body?: string | Buffer): boolean => String(bodyOf(body).name).includes('<b>');

  test('may be refused', async () => {
    const script: Script = (request, respond) => (isOdd(request.body) ? anError(400, 'ValidationError') : respond());
    expect(await brokenBy(script, STORES)).toEqual({});
  });

  test('must not be damaged', async () => {
    const script: Script = async (request, respond, store) => {
      const response = await respond();
      const user = store.users.get(1);
      if (!isOdd(request.body) || !user) return response;
      store.users.set(1, { ...user, name: 'damaged' });
      return response;
    };
    const broken = await brokenBy(script, check('alone', { ...STORES, requirement: 'update.values-faithful' }));
    expect(Object.keys(broken)).toEqual(['update.values-faithful']);
  });

  test('must not fail the server', async () => {
    const script: Script = (request, respond) => (isOdd(request.body) ? json(500, {}) : respond());
    expect(Object.keys(await brokenBy(script, STORES))).toEqual(['update.values-faithful']);
  });
});

describe('a request that must be refused', () => {
  const isWrong = (body?: string | Buffer): boolean => bodyOf(body).name === 5;

  test('gets another status', async () => {
    const script: Script = (request, respond) => (isWrong(request.body) ? json(422, {}) : respond());
    const { 'request-body.name-type': title = '' } = await brokenBy(script, REFUSES);
    expect(title).toMatch(/got 422, not 400$/);
  });

  test('changes something', async () => {
    const script: Script = async (request, respond, store) => {
      const user = store.users.get(1);
      if (isWrong(request.body) && user) store.users.set(1, { ...user, name: 'changed' });
      return respond();
    };
    expect(Object.keys(await brokenBy(script, REFUSES))).toEqual(['update.refused-changes-nothing']);
  });
});
