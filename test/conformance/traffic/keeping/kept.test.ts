import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../../../conformance/http/client.ts';
import { type Exchange, isSafe, type RequestSpec, sentBody } from '../../../../conformance/http/exchange.ts';
import { UNSPECIFIED } from '../../../../conformance/http/due.ts';
import { makeFreshValues, makeRequestBuilder } from '../../../../conformance/resources/requests.ts';
import type { Writable } from '../../../../conformance/resources/inputs.ts';
import { type KeptSubject, makeKeeper, restoreKept } from '../../../../conformance/traffic/keeping/kept.ts';
import { runWriteTraffic } from '../../../../conformance/traffic/write-traffic.ts';
import type { TrafficContext, Operation } from '../../../../conformance/traffic/operation.ts';
import { operations } from '../../../../conformance/operations/index.ts';
import { answered, bannersRequest, inputs, updateRequest } from '../../../support/exchanges.ts';

const SUBJECT = 'user' satisfies Writable;
const requests = makeRequestBuilder(inputs, makeFreshValues('run', 'example.com'), () => ({}));

/** A thing that the list shows, and that the update of a user writes. */
const KEPT: KeptSubject = {
  ...{ subject: SUBJECT, id: '4', members: ['id', 'message', 'enabled'] },
  writers: [
    {
      operation: 'updateUser',
      writes: {
        members: ['message'],
        sets: () => ({}),
        ...{ stored: { requirement: 'a', check: 'a' }, kept: { requirement: 'b', check: 'b' } },
        putBack: (values) => values,
      },
    },
  ],
  reading: () => bannersRequest(),
  shownIn: (exchange) =>
    exchange.response?.json.ok ? (exchange.response.json.value as Record<string, unknown>) : undefined,
};

/** A target that keeps one thing; `store` changes what a body sets. */
function target(now: Record<string, unknown>, store = (body: object, before: object) => ({ ...before, ...body })) {
  let value = now;
  const sent: RequestSpec[] = [];
  const send = (request: RequestSpec): Promise<Exchange> => {
    sent.push(request);
    if (!isSafe(request)) value = store(sentBody(request) ?? {}, value);
    return Promise.resolve(answered(request, 200, value));
  };
  const client = { send, exchanges: [] } as unknown as HttpClient;
  return { client, send, sent, now: () => value };
}

const OLD = { id: 4, message: 'Old', enabled: true };

describe('restoreKept', () => {
  it('sends what changed back, and sees that it is there', async () => {
    const { client, now, sent } = target({ ...OLD, message: 'New' });
    const { members } = await restoreKept({ client, requests }, KEPT, OLD);
    expect([members, now()]).toEqual([[{ member: 'message', outcome: 'restored' }], OLD]);
    expect(sent.map(({ phase }) => phase)).toEqual(['restore', 'restore', 'restore']);
  });

  it('says what no operation can put back, and what an update of it changes', async () => {
    const { client } = target({ ...OLD, message: 'New' }, (body) => ({ ...OLD, ...body, enabled: false }));
    const { members } = await restoreKept({ client, requests }, KEPT, OLD);
    expect(members.map(({ member, outcome }) => `${member} ${outcome}`)).toEqual([
      'message restored',
      'enabled not-restored',
    ]);
  });

  it('says only of what operations write that it may be left, where the target is gone', async () => {
    const { client } = target(OLD);
    const { members } = await restoreKept({ client, requests }, { ...KEPT, shownIn: () => undefined }, OLD);
    expect(members.map(({ member, outcome }) => `${member} ${outcome}`)).toEqual(['message unavailable']);
  });
});

it('a keeper knows the values that were shown before anything was written', () => {
  const keeper = makeKeeper([KEPT]);
  keeper.see(answered(bannersRequest(), 200, { ...OLD, other: 1 }));
  expect([keeper.originalsOf(SUBJECT), keeper.isWritten(SUBJECT)]).toEqual([OLD, false]);
  keeper.see(answered(updateRequest(), 200, {}));
  keeper.see(answered(bannersRequest(), 200, { ...OLD, message: 'New' }));
  expect([keeper.originalsOf(SUBJECT), keeper.isWritten(SUBJECT)]).toEqual([OLD, true]);
});

describe('the traffic of an operation that writes what has no sessions', () => {
  const [update] = operations;

  async function traffic(shown: Record<string, unknown> | undefined, isRunning = true) {
    const { sent, send, now } = target(shown ?? {});
    const context = {
      ...{ requests, send, running: () => isRunning, enter: () => undefined, onStage: () => undefined },
      log: { notBuildable: new Set(), errors: new Map(), more: new Set() },
      kept: [{ ...KEPT, shownIn: shown ? KEPT.shownIn : () => undefined }],
      probes: ['control', 'refuse'].map((phase) => ({
        ...{ id: phase, operation: 'updateUser', needs: [], phase },
        build: () => updateRequest({ body: `{"${phase}":1}`, due: UNSPECIFIED }),
      })),
    } as unknown as TrafficContext;
    const control = { ...update?.control, traffic: context.probes[0] };
    const { blocked } = await runWriteTraffic(context, { ...update, control } as Operation);
    return { blocked, sent, now };
  }

  it('reads first, and sends refusals between two readings, and again where something changed', async () => {
    const { sent } = await traffic(OLD);
    const order = sent.map((request) => (isSafe(request) ? 'read' : request.phase));
    const watched = ['control', 'read', 'refuse', 'read'];
    expect(order.slice(0, 8)).toEqual(['read', 'control', 'read', 'read', ...watched]);
    expect(order.filter((each) => each === 'refuse').length).toBeGreaterThan(1);
  });

  it('says nothing of what is not shown once the run was given up', async () => {
    const { blocked, sent } = await traffic(undefined, false);
    expect(blocked).toBeUndefined();
    expect(sent.every(isSafe)).toBe(true);
  });

  it('writes nothing that cannot be read', async () => {
    const { blocked, sent } = await traffic(undefined);
    expect(blocked?.reason).toBe('not-observable');
    expect(blocked?.exchange?.request).toEqual(sent.at(-1));
    expect(sent.every(isSafe)).toBe(true);
  });
});
