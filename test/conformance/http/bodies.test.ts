import { describe, expect, it } from 'vitest';
import { makeBodyKeeper } from '../../../conformance/http/bodies.ts';
import { makeBodyReader } from '../../../conformance/http/content.ts';
import { showsText } from '../../../conformance/http/exchange.ts';
import { collectGarbage } from '../../../common/process/garbage.ts';

const MIB = 1_048_576;
const raw = (body: unknown) => ({ status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(body)) });
const limit = (message: string) => expect.objectContaining({ kind: 'limit', message }) as Error;
const keeper = (maxBody = MIB, watched: string[] = []) => makeBodyKeeper({ maxBody, watched });

describe('makeBodyKeeper', () => {
  it('keeps a small body whole', () => {
    const { text, cut, json } = keeper()(raw({ id: 1 }));
    expect([text, cut, json]).toEqual(['{"id":1}', undefined, { ok: true, value: { id: 1 } }]);
  });

  it('keeps the start of the text of a large body, and all its members', () => {
    const body = { id: 1, extra: 'x'.repeat(100_000), __proto__: null, list: [{ deep: 'y'.repeat(2_000) }] };
    const { text, cut, json } = keeper()(raw(body));
    expect(text.length).toBeLessThan(20_000);
    expect(cut?.length).toBe(JSON.stringify(body).length);
    expect(json).toEqual({ ok: true, value: JSON.parse(JSON.stringify(body)) as unknown });
  });

  it('keeps large bodies and long strings that are the same once, however many there are', () => {
    const keep = keeper();
    const extra = 'x'.repeat(900_000);
    const records = Array.from({ length: 100 }, (_each, id) => keep(raw({ id: id % 50, extra })));
    expect(records.map(({ json }) => json.ok && (json.value as { id: number }).id)).toEqual(
      Array.from({ length: 100 }, (_each, id) => id % 50),
    );
    expect(records[50]?.json).toBe(records[0]?.json);
  });

  it('reads no more bodies when it keeps as much as it may, and says why', () => {
    const keep = keeper();
    const bodies = Array.from({ length: 100 }, (_each, id) => ({ id, extra: String(id % 10).repeat(900_000 + id) }));
    const read = bodies.map((body) => {
      try {
        return keep(raw(body)).json.ok;
      } catch (error) {
        expect(error).toEqual(limit('the bodies of this run are larger than 8388608 bytes in memory'));
        return false;
      }
    });
    expect(read.filter(Boolean).length).toBe(9);
    expect(keep(raw({ id: 1 })).json.ok).toBe(true);
  });

  it.each([
    ['items', '['.concat('0,'.repeat(400_000), '0]')],
    ['arrays', '['.concat('[],'.repeat(300_000), '[]]')],
    ['members', `{${Array.from({ length: 40_000 }, (_each, at) => `"a${at}":1`).join()}}`],
  ])('does not make values of a body with very many %s', (_what, text) => {
    expect(() => keeper()({ status: 200, headers: {}, bytes: Buffer.from(text) })).toThrow(
      'the body has more than 32768 values',
    );
  });

  it('finds a watched text in the part that is not kept', () => {
    const record = keeper(MIB, ['the-secret', 'another'])(raw({ text: 'x'.repeat(100_000) + 'the-secret' }));
    expect(record.text).not.toContain('the-secret');
    expect([showsText(record, 'the-secret'), showsText(record, 'another')]).toEqual([true, false]);
  });
});

describe('the memory of what is kept', () => {
  const array = (length: number, make: (at: number) => string): string =>
    `[${Array.from({ length }, (_e, at) => make(at)).join()}]`;
  const object = (length: number, make: (at: number) => string): string =>
    `{${Array.from({ length }, (_e, at) => `${make(at)}:1`).join()}}`;
  /** A text of so many characters that no other has. */
  const own = (seed: number, at: number, length: number, char = 'x'): string =>
    `"${`${seed}-${at}-`.padEnd(length, char)}"`;
  /** Bodies of a shape, each at most so large, and all different. */
  const shapes: Readonly<Record<string, (seed: number, bytes: number) => string>> = {
    'texts of 1,000 characters, one of two bytes': (seed, bytes) =>
      array(bytes / 1_015, (at) => own(seed, at, 1_000, 'x').replace('x', '€')),
    'texts of 1,000 characters, one escaped': (seed, bytes) =>
      array(bytes / 1_020, (at) => own(seed, at, 1_000, 'x').replace('x', String.raw`\u20ac`)),
    'texts of 40 characters': (seed, bytes) => array(bytes / 44, (at) => own(seed, at, 40)),
    'names of 2,000 characters, one of two bytes': (seed, bytes) =>
      object(bytes / 2_020, (at) => own(seed, at, 2_000, 'x').replace('x', '€')),
    'names of 30 characters': (seed, bytes) => object(bytes / 36, (at) => own(seed, at, 30)),
    'empty arrays': (seed, bytes) => array(bytes / 68, () => `[]${' '.repeat(65)}`).replace('[]', `[${seed}]`),
    'fractions among texts': (seed, bytes) =>
      array(bytes / 33, (at) => (at % 2 ? `${seed + at}.5`.padEnd(32) : '"a"'.padEnd(32))),
    'one text of two bytes': (seed, bytes) => `{"a":${own(seed, 0, bytes - 30, 'x').replace('x', '€')}}`,
    'what is not JSON': (seed, bytes) => `€${seed}`.padEnd(bytes - 10, 'x'),
  };

  function held(bodies: readonly (() => Buffer)[], maxBody: number): number {
    const keep = keeper(maxBody);
    collectGarbage();
    const before = process.memoryUsage();
    const kept: unknown[] = [];
    for (const make of bodies) {
      try {
        kept.push(keep({ status: 200, headers: {}, bytes: make() }));
      } catch {
        // It is larger than what may be kept.
      }
    }
    collectGarbage();
    const after = process.memoryUsage();
    expect(kept.length).toBeGreaterThan(0);
    return (after.heapUsed + after.external - before.heapUsed - before.external) / MIB;
  }

  // Of 8 MiB bodies a run may keep 64 MiB; here everything is an eighth.
  it.each(Object.entries(shapes))('is bounded for large bodies of %s', (_shape, make) => {
    const bodies = Array.from({ length: 32 }, (_each, seed) => () => Buffer.from(make(seed + 10, MIB)));
    expect(held(bodies, MIB)).toBeLessThan(14);
  });

  it.each(Object.entries(shapes))(
    'is bounded for as many small bodies as a run has requests, of %s',
    (_shape, make) => {
      const bodies = Array.from({ length: 350 }, (_each, seed) => () => Buffer.from(make(seed + 10, 16_384)));
      expect(held(bodies, 8 * MIB)).toBeLessThan(100);
    },
  );
});

describe('makeBodyReader', () => {
  function read(reader: ReturnType<typeof makeBodyReader>, bytes: number): Buffer {
    const { take, whole } = reader();
    for (let rest = bytes; rest > 0; rest -= 1_000) void take(Buffer.alloc(Math.min(rest, 1_000)));
    return whole();
  }

  it('reads a bounded number of bytes for a run, and small bodies always', () => {
    const reader = makeBodyReader(100_000);
    for (let body = 0; body < 32; body += 1) expect(read(reader, 100_000)).toHaveLength(100_000);
    for (let body = 0; body < 8; body += 1)
      expect(() => read(reader, 100_000)).toThrow(
        limit('the run has read 3200000 bytes of bodies, and reads only small ones now'),
      );
    expect(read(reader, 16_384)).toHaveLength(16_384);
  });

  it('reads no body that is larger than allowed', () =>
    expect(() => read(makeBodyReader(100_000), 100_001)).toThrow(limit('the body is larger than 100000 bytes')));

  it('keeps a body that comes in tiny pieces in little more memory than its bytes', () => {
    const { take, whole } = makeBodyReader(MIB)();
    collectGarbage();
    const before = process.memoryUsage();
    const received = Buffer.alloc(65_536, ' ');
    for (let piece = 0; piece < MIB; piece += 1) void take(received.subarray(piece % 65_536, (piece % 65_536) + 1));
    collectGarbage();
    const after = process.memoryUsage();
    expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(4 * MIB);
    expect(whole()).toHaveLength(MIB);
  });

  const PART = 1_048_576;
  const LARGE = 8 * PART;

  /** A body of so many parts, of which the last come when they are let go. */
  function heldStream(end: Promise<void>): { readonly stream: AsyncIterable<Buffer>; readonly read: () => number } {
    let read = 0;
    async function* parts(): AsyncGenerator<Buffer> {
      for (let part = 0; part < 8; part += 1) {
        if (part === 7) await end;
        read += 1;
        yield Buffer.alloc(PART, part);
      }
    }
    return { stream: parts(), read: () => read };
  }

  async function readStream(reader: ReturnType<typeof makeBodyReader>, stream: AsyncIterable<Buffer>, length?: number) {
    const { take, whole, release } = reader(length);
    try {
      for await (const chunk of stream) await take(chunk);
      return whole();
    } finally {
      release();
    }
  }

  it.each([LARGE, undefined, NaN])(
    'of bodies that are larger than 1 MiB reads one at a time (length %s)',
    async (length) => {
      const reader = makeBodyReader(LARGE);
      let release = (): void => undefined;
      const end = new Promise<void>((resolve) => (release = resolve));
      const streams = Array.from({ length: 5 }, () => heldStream(end));
      const bodies = Promise.all(streams.map(({ stream }) => readStream(reader, stream, length)));
      for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
      expect(streams.map(({ read }) => read())).toEqual([7, 2, 2, 2, 2]);
      release();
      for (const body of await bodies) {
        expect(body).toHaveLength(LARGE);
        expect(Array.from({ length: 8 }, (_each, part) => body[part * PART])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      }
    },
  );
});
