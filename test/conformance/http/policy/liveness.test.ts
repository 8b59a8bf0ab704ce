import { describe, expect, it } from 'vitest';
import { Liveness } from '../../../../conformance/http/policy/liveness.ts';
import { TransportFailure } from '../../../../conformance/http/transport/transport-errors.ts';

const TIMEOUT = 10_000;
const silence = new TransportFailure('timeout', 'no complete response within 10000 ms');

/** A target at which the clock moves only by what requests take. */
function target({ patience = 3 } = {}) {
  const liveness = new Liveness({ timeout: TIMEOUT, patience });
  let now = 0;
  return {
    liveness,
    now: () => now,
    /** So many concurrent requests, each of which gets a response. */
    respond: (ms: number, requests = 1) => {
      const begun = now;
      const under = Array.from({ length: requests }, () => liveness.begin(begun));
      now += ms;
      for (const attempt of under) {
        liveness.responded(attempt, now);
        liveness.end(attempt);
      }
    },
    /** So many concurrent requests without a response. */
    keepSilent: (requests = 1) => {
      const begun = now;
      const attempt = liveness.begin(begun);
      now += liveness.timeoutFor(false);
      for (let each = 0; each < requests; each += 1) liveness.failed(silence, begun, now);
      liveness.end(attempt);
    },
    pause: (ms: number) => {
      liveness.end(liveness.begin(now));
      liveness.askedForPause(ms, now);
      now += ms;
    },
  };
}

describe('A target is given up', () => {
  it('that never responds, after three attempts and within 20 s', () => {
    const { liveness, keepSilent, now } = target();
    keepSilent(8);
    keepSilent();
    expect(liveness.givenUp).toBeUndefined();
    keepSilent();
    expect(liveness.givenUp).toMatchObject({
      kind: 'timeout',
      message: 'not sent, since the target no longer responds: no complete response within 10000 ms',
    });
    expect(now()).toBeLessThanOrEqual(17_500);
  });

  it('that never responded, or gets a last chance, without a request more', () => {
    const silent = target();
    silent.keepSilent();
    silent.keepSilent();
    const last = target({ patience: 1 });
    last.respond(10);
    for (const { liveness } of [silent, last]) expect(liveness.isInDoubt).toBe(false);
  });

  it('that gets a last chance, after half a time-out', () => {
    const silent = target({ patience: 1 });
    silent.keepSilent();
    const pausing = target({ patience: 1 });
    expect(() => {
      for (let times = 0; times < 100; times += 1) pausing.pause(1_000);
    }).toThrow(TransportFailure);
    for (const { liveness, now } of [silent, pausing]) {
      expect(liveness.givenUp).toBeDefined();
      expect(now()).toBeLessThanOrEqual(5_000);
    }
  });

  it.each([10, 2_000])(
    'that becomes silent after responses of %i ms, within three time-outs with a last chance',
    (ms) => {
      const { liveness, respond, keepSilent, now } = target();
      respond(8_000 > ms ? ms : 0);
      const silentSince = now();
      for (let times = 0; times < 3; times += 1) keepSilent();
      expect(liveness.givenUp?.kind).toBe('timeout');
      const last = target({ patience: 1 });
      last.keepSilent();
      expect(last.liveness.givenUp?.kind).toBe('timeout');
      expect(now() - silentSince + last.now()).toBeLessThanOrEqual(3 * TIMEOUT);
    },
  );

  it.each([1_000, 5_000, 12_000, 19_000, 30_000, 100_000])(
    'that asks for nothing but pauses of %i ms, within 20 s',
    (ms) => {
      const { liveness, pause, now } = target();
      expect(() => {
        for (let times = 0; times < 100; times += 1) pause(ms);
      }).toThrow(TransportFailure);
      expect(liveness.givenUp?.kind).toBe('throttled');
      expect(now()).toBeLessThanOrEqual(20_000);
    },
  );
});

describe('A target that was there is given up', () => {
  const refused = new TransportFailure('unreachable', 'connect ECONNREFUSED');

  /** Refuses connections, one attempt after the other, until it is given up; gives how long that took. */
  function stayAway(liveness: Liveness, from: number): number {
    let now = from;
    for (; !liveness.givenUp && now < from + 1_000_000; now += 250) liveness.failed(refused, now, now);
    return now - from;
  }

  it('that accepts no connection any more, after 20 s; one that never did, after three attempts', () => {
    const { liveness, respond, now } = target();
    expect(liveness.mayReturn).toBe(false);
    respond(10);
    expect(liveness.mayReturn).toBe(true);
    expect(stayAway(liveness, now())).toBeLessThan(21_000);
    expect([liveness.givenUp?.kind, liveness.mayReturn, liveness.awayFor]).toEqual(['unreachable', false, 0]);
    expect(stayAway(target().liveness, 0)).toBe(750);
  });

  it('while the users are restored, after 30 s, also if it has not responded to this client', () => {
    const liveness = new Liveness({ timeout: TIMEOUT, patience: 3, away: 30_000, wasThere: true });
    const ms = stayAway(liveness, 0);
    expect([ms >= 30_000, ms < 31_000]).toEqual([true, true]);
  });

  it.each([20, 40, 100, 400])('that takes %i ms longer with each request, within 40 s', (more) => {
    const { liveness, respond, now } = target();
    for (let ms = more; !liveness.givenUp && ms < TIMEOUT; ms += more) respond(ms);
    expect(liveness.givenUp).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('takes longer') as string,
    });
    expect(now()).toBeLessThan(40_000);
  });

  it.each([
    [1_000, 31],
    [5_000, 35],
    [15_000, 45],
  ])('that asks for a pause of %i ms at every second request, within 35 s', (ms, seconds) => {
    const { respond, pause, now } = target();
    expect(() => {
      for (let times = 0; times < 1_000; times += 1) {
        respond(5);
        pause(ms);
      }
    }).toThrow(`asked for pauses of ${seconds} s in all`);
    expect(now()).toBeLessThan(35_000);
  });
});

describe('A target is not given up', () => {
  it('that is away again and again, but not for long', () => {
    const { liveness } = target();
    liveness.begin(0);
    const refused = new TransportFailure('unreachable', 'connect ECONNREFUSED');
    for (let now = 0; now < 300_000; now += 30_000) {
      liveness.responded(liveness.begin(now), now + 10);
      for (let at = now + 100; at < now + 19_000; at += 250) liveness.failed(refused, at, at);
    }
    liveness.responded(liveness.begin(300_000), 300_010);
    expect(liveness.givenUp).toBeUndefined();
    expect(liveness.awayFor).toBeGreaterThan(180_000);
  });

  it('that asks for a long pause now and then, as where requests of a minute are counted', () => {
    const { liveness, respond, pause } = target();
    for (let minute = 0; minute < 3; minute += 1) {
      for (let times = 0; times < 100; times += 1) respond(5);
      pause(18_000);
    }
    expect(liveness.givenUp).toBeUndefined();
  });

  it('that asks for a pause of a second at every tenth request', () => {
    const { liveness, respond, pause } = target();
    for (let times = 0; times < 400; times += 1) {
      respond(5);
      if (times % 10 === 0) pause(1_000);
    }
    expect(liveness.givenUp).toBeUndefined();
  });

  it.each([
    ['is slow', [1_500, 1_600, 1_400]],
    ['is slower at some requests', [5, 2_000, 3_000]],
    ['becomes slower, and stays so', [500, 500, 500, 1_500]],
    ['becomes a little slower all the time', Array.from({ length: 100 }, (_each, at) => 2 + 4 * at)],
  ])('that %s', (_what, times) => {
    const { liveness, respond } = target();
    for (let round = 0; round < 100; round += 1) respond(times[Math.min(round, round % times.length)] ?? 0);
    expect(liveness.givenUp).toBeUndefined();
  });

  it('that takes longer by chance, and then for concurrent requests, which wait for each other', () => {
    const { liveness, respond } = target();
    for (const ms of [600, 610, 620, 630, 640]) for (let times = 0; times < 5; times += 1) respond(ms);
    for (let times = 0; times < 20; times += 1) respond(16 * 640, 16);
    expect(liveness.givenUp).toBeUndefined();
  });

  it('that starts cold and is slow', () => {
    const { liveness, respond } = target();
    for (const ms of [8_000, 2_000, 2_000, 9_900]) respond(ms);
    expect([liveness.givenUp, liveness.timeoutFor(false)]).toEqual([undefined, TIMEOUT]);
  });

  it('that misses one request in two', () => {
    const { liveness, respond, keepSilent } = target();
    for (let times = 0; times < 20; times += 1) {
      keepSilent(7);
      respond(2_000);
    }
    expect(liveness.givenUp).toBeUndefined();
  });

  it('that never responds to one request in seven: it soon gets less time, but more than it takes', () => {
    const { liveness, respond, keepSilent, now } = target();
    for (let times = 0; times < 43; times += 1) {
      respond(20);
      keepSilent();
    }
    expect(liveness.givenUp).toBeUndefined();
    expect(now()).toBeLessThan(160_000);
    respond(2_400);
    expect(liveness.timeoutFor(false)).toBe(9_600);
  });

  it('that hangs at some requests, but responds to one that it responded to before', () => {
    const { liveness, respond, keepSilent, now } = target();
    respond(10);
    for (let times = 0; times < 20; times += 1) {
      expect(liveness.isInDoubt).toBe(false);
      keepSilent(7);
      keepSilent();
      expect(liveness.isInDoubt).toBe(true);
      respond(10);
    }
    expect(liveness.givenUp).toBeUndefined();
    expect(now()).toBeLessThan(4 * TIMEOUT);
  });

  it('that hangs at some requests and serves others meanwhile: it gets the whole time-out twice more, and then less', () => {
    const { liveness, respond, keepSilent, now } = target();
    respond(10);
    keepSilent(7);
    respond(100);
    liveness.respondedBeside();
    expect([liveness.timeoutFor(true), liveness.usual]).toEqual([500, 250]);
    for (const ms of [TIMEOUT, 500, 500]) {
      expect(liveness.timeoutFor(false)).toBe(ms);
      keepSilent(150);
      respond(100);
    }
    expect(liveness.givenUp).toBeUndefined();
    expect(now()).toBeLessThan(30_000);
    respond(3_000);
    expect([liveness.timeoutFor(false), liveness.usual]).toEqual([TIMEOUT, 3_000]);
  });

  it('that serves one connection, so that all other concurrent requests get no response', () => {
    const { liveness, respond, keepSilent } = target();
    respond(10);
    keepSilent(7);
    expect(liveness.givenUp).toBeUndefined();
    expect(liveness.timeoutFor(false)).toBe(2_500);
  });

  it('that responds after it asked for a long pause, once it had responded', () => {
    const { liveness, respond, pause } = target();
    for (let times = 0; times < 5; times += 1) {
      for (let request = 0; request < 4; request += 1) respond(10);
      pause(60_000);
    }
    expect(liveness.givenUp).toBeUndefined();
  });

  it('that closes connections: it is found out at once anyway', () => {
    const { liveness } = target();
    for (let times = 0; times < 10; times += 1) liveness.failed(new TransportFailure('closed', 'closed'), times, times);
    expect(liveness.givenUp).toBeUndefined();
  });
});
