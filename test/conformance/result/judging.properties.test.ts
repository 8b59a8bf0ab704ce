import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { observe } from '../../../conformance/checks/observations.ts';
import type { Exchange, ResponseRecord } from '../../../conformance/http/exchange.ts';
import type { Check } from '../../../conformance/model/check.ts';
import type { Recording } from '../../../conformance/model/recording/recording.ts';
import { groupFailures } from '../../../conformance/result/findings.ts';
import { judgeServer } from '../../../proof/servers/judge.ts';
import { faulted } from '../../support/exchanges.ts';
import { judged } from '../../support/model.ts';
import { examples } from '../../support/sample.ts';

let checks: readonly Check[] = [];
let seen: Recording | undefined;

beforeAll(() =>
  judgeServer(
    {},
    {
      onEvent: (event) => {
        if (event.type === 'judging') ({ checks, recording: seen } = event);
      },
    },
  ),
);

function run(): Recording {
  if (!seen) throw new Error('the run judged nothing');
  return seen;
}

type Change = (exchange: Exchange) => Exchange;

const NAMES = 'id name email username rootRole banners message permissions createdAt __proto__'.split(' ');
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('\ud800', '', 'x'.repeat(5_000), 1e308, -0, 2 ** 53, '1', null, [], {}),
);
const body = fc.oneof(
  value,
  fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 8 }).map((members) => Object.fromEntries(members)),
);
const response: fc.Arbitrary<ResponseRecord> = fc
  .tuple(
    fc.oneof(fc.constantFrom(200, 204, 400, 401, 403, 404, 500), fc.integer({ min: 100, max: 999 })),
    body,
    fc.nat(4),
  )
  .map(([status, given, kind]) => ({
    ...{ status, headers: { 'content-type': 'application/json' }, text: kind === 0 ? 'no' : JSON.stringify(given) },
    json: kind === 0 ? { ok: false, reason: 'the body is not JSON' } : { ok: true, value: given },
  }));
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Change>((exchange) => exchange) },
  { weight: 3, arbitrary: response.map((other): Change => (exchange) => ({ ...exchange, response: other })) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...NAMES), value).map(([name, member]): Change => (exchange) => {
      const { response: own } = exchange;
      if (!own?.json.ok || typeof own.json.value !== 'object' || own.json.value === null) return exchange;
      const json = { ...own.json.value, [name]: member };
      return { ...exchange, response: { ...own, text: JSON.stringify(json), json: { ok: true, value: json } } };
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('closed', 'timeout', 'limit', 'protocol', 'aborted').map(
      (kind): Change =>
        ({ request }) =>
          faulted(request, kind),
    ),
  },
);

/** A run in which the target sent other responses; an exchange is the same wherever it stands. */
function changed(recording: Recording, changes: readonly Change[]): Recording {
  const made = new Map(
    recording.exchanges.map((each, index) => [each, changes[index % changes.length]?.(each) ?? each] as const),
  );
  return { ...recording, exchanges: [...made.values()] };
}

it('Whatever a target responds with no check, observer or finding fails itself', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), fc.boolean(), (changes, stopped) => {
      const recording = { ...changed(run(), changes), stopped };
      const given = judged(recording, checks);
      const errors = given.checks.flatMap(({ check, said }) =>
        said.outcome === 'error' ? [`${check.id}: ${said.detail}`] : [],
      );
      expect(errors).toEqual([]);
      expect(() => [observe(recording), groupFailures(given)]).not.toThrow();
    }),
    examples(20),
  );
});

/** What keeps a response from the suite although the request was carried out. */
const lost = fc.constantFrom('timeout', 'limit', 'protocol', 'aborted').map((kind): Change => (exchange) => ({
  ...faulted(exchange.request, kind),
  startedAt: exchange.startedAt,
  duration: exchange.duration,
}));
const slower = fc.nat(500).map((more): Change => (exchange) => ({ ...exchange, duration: exchange.duration + more }));
const same = fc.constant<Change>((exchange) => exchange);

it('What hides how a conforming target responds, or when, fails no check', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 8, arbitrary: same }, { weight: 1, arbitrary: lost }, slower), {
        minLength: 7,
        maxLength: 97,
      }),
      fc.boolean(),
      (changes, stopped) => {
        const { checks: all, facts } = judged({ ...changed(run(), changes), stopped }, checks);
        const failed = all.flatMap(({ check, said }) =>
          said.outcome === 'failed' ? [`${check.id}: ${said.deviation.message}`] : [],
        );
        expect(failed).toEqual([]);
        expect(facts.deviations.filter(({ requirements }) => requirements.length > 0)).toEqual([]);
      },
    ),
    examples(20),
  );
});
