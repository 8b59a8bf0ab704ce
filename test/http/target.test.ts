import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Transport } from '../../conformance/http/transport.ts';
import { json, scripted, sessionOver } from '../support/engine.ts';

const OK = json(200, { banners: [] });
const SLOW_MS = 900;

/** Sends groups of requests to a target, and says whether it is still sent several at once. */
async function takesSeveralAfter(groups: number, transport: Transport): Promise<boolean> {
  const { target } = sessionOver(transport);
  const send = () => target.send(target.request('listBanners'), true);
  for (let group = 0; group < groups; group += 1) await Promise.all(Array.from({ length: 4 }, send));
  return target.takesSeveral;
}

/** Sends 300 requests to a target that takes so many ms for each. */
async function sendThatTakes(ms: (count: number) => number): Promise<void> {
  let count = 0;
  const { target } = sessionOver(() => {
    vi.advanceTimersByTime(ms((count += 1)));
    return Promise.resolve(OK);
  });
  while (count < 300) await target.send(target.request('listBanners'));
}

/** Lets time pass once for all requests that are under way. */
const standStill = onceATurn(() => vi.advanceTimersByTime(SLOW_MS));

function onceATurn(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
    setImmediate(() => (isDone = false));
  };
}

describe('A target', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  it('is sent one request at a time if each waits for those before it', async () => {
    let last: Promise<unknown> = Promise.resolve();
    const transport: Transport = () => {
      const turn = last.then(() => vi.advanceTimersByTime(SLOW_MS)).then(() => OK);
      // The suite has read a response before the next one comes.
      last = turn.then(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))));
      return turn;
    };
    expect(await takesSeveralAfter(2, transport)).toBe(false);
  });

  it('that has become slow ends the run, and is still sent what restores the users', async () => {
    const { target } = sessionOver(() => {
      vi.advanceTimersByTime(10 * SLOW_MS);
      return Promise.resolve(OK);
    });
    const sendAll = async (): Promise<void> => {
      for (let requests = 0; requests < 20; requests += 1) await target.send(target.request('listBanners'));
    };
    await expect(sendAll()).rejects.toThrow('The last 10 requests took at least 9 s each; the run');
    target.endBy(new AbortController().signal);
    await expect(sendAll()).resolves.toBeUndefined();
  });

  it('that becomes slower with each request ends the run', async () => {
    const sending = sendThatTakes((count) => 3 * count);
    await expect(sending).rejects.toThrow('far longer than the first ones');
    expect(performance.now()).toBeLessThan(100_000);
  });

  it('that is slow from the beginning does not end it', async () => {
    await expect(sendThatTakes(() => 1_000)).resolves.toBeUndefined();
  });

  it('is sent several requests at once although the machine of the suite stands still now and then', async () => {
    const transport: Transport = async () => {
      await new Promise(setImmediate);
      standStill();
      return OK;
    };
    expect(await takesSeveralAfter(8, transport)).toBe(true);
  });
});

it('a target that asks for a longer pause than the suite makes is not asked again', async () => {
  const { transport, requests } = scripted(() => ({ ...json(429, {}), headers: { 'retry-after': '3600' } }));
  const { target } = sessionOver(transport);
  await target.send(target.request('listBanners'));
  expect(requests).toHaveLength(1);
});

it('a target that asks for a pause at each try of three requests in a row ends the run', async () => {
  let requests = 0;
  const { target } = sessionOver(() => {
    requests += 1;
    return Promise.resolve({ ...json(429, {}), headers: { 'retry-after': '0' } });
  });
  const send = () => target.send(target.request('listBanners'));
  for (let count = 0; count < 3; count += 1) expect((await send()).response.status).toBe(429);
  const before = requests;
  await expect(send()).rejects.toThrow('The target asks for a longer pause (429) than the suite makes');
  expect(requests).toBe(before);
});

/** Sends pairs of requests to a target that has asked for a pause, and says of each pair whether it was under way together. */
async function sendPairs(pairs: number, transport: Transport): Promise<boolean[]> {
  const { target } = sessionOver(transport);
  const send = () => target.send(target.request('listBanners'));
  await Promise.all([send(), send(), send()]);
  expect(target.takesSeveral).toBe(false);
  const were: boolean[] = [];
  for (let pair = 0; pair < pairs; pair += 1)
    were.push((await target.atOnce(() => Promise.all([send(), send()]))).wereTogether);
  return were;
}

it('a target that limits the rate is sent two requests at once after a pause', async () => {
  let requests = 0;
  const transport: Transport = () => Promise.resolve((requests += 1) === 3 ? json(429, {}) : OK);
  expect(await sendPairs(2, transport)).toEqual([true, true]);
});

it('a target that never takes two requests at once is tried once', async () => {
  let [inFlight, refused] = [0, 0];
  const transport: Transport = async () => {
    inFlight += 1;
    const isBeside = inFlight > 1;
    if (isBeside) refused += 1;
    await new Promise(setImmediate);
    inFlight -= 1;
    return isBeside ? json(429, {}) : OK;
  };
  expect(await sendPairs(3, transport)).toEqual([false, false, false]);
  expect(refused).toBe(3);
});

describe('a limit that counts in a long time', () => {
  const limited = { ...json(429, {}), headers: { 'retry-after': '3' } };
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  it('is waited for once, and the rate that it allows is kept from then on', async () => {
    let requests = 0;
    const intervals: number[] = [];
    const transport: Transport = () => Promise.resolve((requests += 1) === 11 ? limited : OK);
    const { target } = sessionOver(transport, { onLimited: (intervalMs) => intervals.push(intervalMs) });
    const send = () => target.send(target.request('listBanners'));
    for (let count = 0; count < 11; count += 1) expect((await send()).response.status).toBe(200);
    expect(requests).toBe(12);
    expect(intervals).toEqual([300]);
  });

  it('ends the run if it asks for the same again', async () => {
    const { target } = sessionOver(() => Promise.resolve(limited));
    const send = () => target.send(target.request('listBanners'));
    expect((await send()).response.status).toBe(429);
    await expect(send()).rejects.toThrow('The target asks for a longer pause (429) than the suite makes');
  });
});
