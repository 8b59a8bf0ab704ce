import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { HttpClient } from '../../../../conformance/http/client.ts';
import { type Exchange, type RequestSpec, sentBody } from '../../../../conformance/http/exchange.ts';
import type { Probe } from '../../../../conformance/model/recording/items.ts';
import { operations } from '../../../../conformance/operations/index.ts';
import { EMPTY_UPDATE, READING_UPDATE, validUpdate } from '../../../../conformance/operations/update-user/due.ts';
import type { Writes } from '../../../../conformance/resources/effect.ts';
import { makeFreshValues, makeRequestBuilder } from '../../../../conformance/resources/requests.ts';
import type { Operation, TrafficLog } from '../../../../conformance/traffic/operation.ts';
import { restoreUser } from '../../../../conformance/traffic/users/restore.ts';
import type { UsersContext } from '../../../../conformance/traffic/users/session.ts';
import { userUpdates } from '../../../../conformance/traffic/users/updates.ts';
import { runUsersTraffic } from '../../../../conformance/traffic/users/traffic.ts';
import { answered, inputs, updateRequest, without } from '../../../support/exchanges.ts';

const requests = makeRequestBuilder(inputs, makeFreshValues('run', 'example.com'), () => ({}));

/** An operation that sets the account type, which no update can. */
const WRITES: Writes = {
  members: ['accountType'],
  sets: () => ({}),
  ...{ stored: { requirement: 'a', check: 'a' }, kept: { requirement: 'b', check: 'b' } },
  putBack: (values) => values,
};

const [update] = operations;
if (!update) throw new Error('There is no operation.');
const operation: Operation = { ...update, effect: { resource: 'user', writes: WRITES } };
const control: Probe = {
  ...{ id: 'control', operation: update.id, needs: [], phase: 'control' },
  build: () => updateRequest({ body: '{"accountType":"User"}' }),
};

/** The requests that are sent where a user is shown so, and why no more are. */
async function sentTo(user: object) {
  const sent: RequestSpec[] = [];
  const reading = answered(updateRequest({ body: '{}' }), 200, user);
  const session = {
    ...{ subject: 'user', history: () => [reading], look: () => Promise.resolve(reading) },
    ...{ open: () => Promise.resolve(), blocked: undefined, stateProbes: [] },
  };
  const context = {
    ...{ probes: [control], scenarios: [], sessions: [session], reads: [], kept: [], clock: {}, requests },
    ...{ running: () => true, enter: () => undefined, onStage: () => undefined, mayChange: () => undefined },
    log: { notBuildable: new Set(), errors: new Map(), more: new Set() },
    send: (request: RequestSpec): Promise<Exchange> => {
      sent.push(request);
      return Promise.resolve(answered(request, 200, user));
    },
  } as unknown as UsersContext;
  const { blocked } = await runUsersTraffic(context, operation);
  return { sent: sent.length, blocked: blocked?.reason, shown: blocked?.exchange === reading };
}

it('an operation that writes what no update can sends nothing where the users do not show what it writes', async () => {
  expect(await sentTo({ id: 4, name: 'Ada' })).toEqual({ sent: 0, blocked: 'not-observable', shown: true });
  expect(await sentTo({ id: 4, accountType: 'User' })).toEqual({ sent: 1, blocked: undefined, shown: false });
});

it.each([
  ['is put back where it may have changed and is not shown any more', ['name', 'accountType'], 'sent'],
  ['is left where the run did not write it', ['name'], undefined],
] as const)('what other operations write %s', async (_what, touched, outcome) => {
  const sent: unknown[] = [];
  const send = (request: RequestSpec): Promise<Exchange> => {
    sent.push(sentBody(request));
    return Promise.resolve(answered(request, 200, { id: 4, name: 'Ada' }));
  };
  const client = { send, exchanges: [] } as unknown as HttpClient;
  const { members } = await restoreUser(
    { client, requests, operation: 'updateUser', writers: [{ operation: 'updateUser', writes: WRITES }] },
    { subject: 'user', id: '4', originals: { name: 'Ada', accountType: 'User' }, touched, isReadable: true },
    { valid: validUpdate, empty: EMPTY_UPDATE, reading: READING_UPDATE },
  );
  expect(sent.some((body) => isDeepStrictEqual(body, { accountType: 'User' }))).toBe(outcome === 'sent');
  expect(members.find(({ member }) => member === 'accountType')?.outcome).toBe(outcome);
});

it('what an operation of another resource wrote is followed by one more reading of the users, and nothing else by none', async () => {
  const sent: string[] = [];
  const histories = new Map([['user' as const, [] as Exchange[]]]);
  const send = (request: RequestSpec): Promise<Exchange> => {
    sent.push(request.purpose);
    const exchange = answered(request, 200, { id: 4, name: 'Ada', ...sentBody(request) });
    histories.get('user')?.push(exchange);
    return Promise.resolve(exchange);
  };
  const own = makeRequestBuilder(without(inputs, 'otherUserId'), makeFreshValues('run', 'example.com'), () => ({}));
  const { run, readLast } = userUpdates({ valid: validUpdate, empty: EMPTY_UPDATE, reading: READING_UPDATE }).open({
    ...{ operation: update.id, requests: own, send, histories, mayChange: () => undefined },
  });
  const log = { notBuildable: new Set<string>(), errors: new Map(), more: new Set() } as unknown as TrafficLog;
  await run(
    {
      ...{ log, probes: [], scenarios: [], requests: own, send, reads: [], kept: [] },
      ...{ running: () => true, enter: () => undefined, onStage: () => undefined },
    },
    update,
  );
  const stop = new AbortController().signal;
  const known = await readLast(0, stop, false);
  const before = sent.length;
  expect([await readLast(0, stop, false), sent.length]).toEqual([known, before]);
  const anew = await readLast(0, stop, true);
  expect(sent.slice(before)).toEqual(['Reading the state of the user']);
  expect(anew[0]).not.toBe(known[0]);
});
