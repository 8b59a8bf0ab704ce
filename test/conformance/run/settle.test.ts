import { expect, it } from 'vitest';
import { run, type RunEvent } from '../../../conformance/index.ts';
import { targetOf, withTarget } from '../../support/target.ts';

it.each([0, 300])(
  'The users are read as the last thing before they are restored, %i ms after all else',
  async (settle) => {
    const events: RunEvent[] = [];
    await withTarget({}, (server) =>
      run(targetOf(server), { ...server.reach, settle, onEvent: (event) => events.push(event) }),
    );
    const end = events.findIndex((event) => event.type === 'stage' && event.operation === 'restore');
    const sent = events.slice(0, end).flatMap((event) => (event.type === 'exchange' ? [event.exchange] : []));
    // What only reads leaves them as they are.
    const writing = sent.filter(({ request }) => request.method !== 'GET');
    const last = writing.slice(-2);
    expect(last.map(({ purpose }) => purpose).sort()).toEqual([
      'Reading the state of the other user',
      'Reading the state of the user',
    ]);
    const ended = Math.max(...writing.slice(0, -2).map(({ startedMs = 0 }) => startedMs));
    expect(Math.min(...last.map(({ startedMs = 0 }) => startedMs)) - ended).toBeGreaterThanOrEqual(settle);
  },
);
