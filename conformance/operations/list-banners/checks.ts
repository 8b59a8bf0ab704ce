import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isRecord, rememberingEach } from '../../../common/json.ts';
import { type Exchange, inWords } from '../../http/exchange.ts';
import type { Check, Judgement, OwnCheck } from '../../judging/check.ts';
import type { Evidence } from '../../judging/evidence.ts';
import {
  blockedOrUnsent,
  distinctBodies,
  everywhere,
  failed,
  judgeNoResponse,
  notApplicable,
  notObservable,
  passed,
  preconditionFailed,
  successes,
} from '../../judging/outcomes.ts';
import { bannerMembers, BANNERS, BANNERS_AGAIN, bannersOf, LISTS, RESTRICTED_BANNERS } from './requests.ts';

function bannersCheck(given: OwnCheck): Check {
  return {
    area: 'banners',
    level: 'must',
    operations: ['listBanners'],
    needs: ['adminKey'],
    uses: [BANNERS, BANNERS_AGAIN, RESTRICTED_BANNERS],
    ...given,
  };
}

/** Judges every list: the first that fails decides, or else the first one. */
function onEachList(judge: (exchange: Exchange, evidence: Evidence) => Judgement): Check['judge'] {
  return (evidence) => {
    const lists = distinctBodies(successes(evidence, 'listBanners'));
    const judgements = lists.map((exchange) => judge(exchange, evidence));
    const [first] = judgements;
    if (!first) return blockedOrUnsent(evidence, 'listBanners', 'no request for the list got the response 200');
    return judgements.find(({ outcome }) => outcome === 'failed') ?? first;
  };
}

function onList(
  judge: (exchange: Exchange, banners: readonly unknown[], evidence: Evidence) => Judgement,
): Check['judge'] {
  return onEachList((exchange, evidence) => {
    const banners = bannersOf(exchange);
    return banners
      ? judge(exchange, banners, evidence)
      : preconditionFailed('the body has no array `banners`', [exchange]);
  });
}

const accepted = bannersCheck({
  id: 'banners-accepted',
  requirements: ['banners.success-is-200'],
  title: 'A request for the banners gets the response 200',
  failureModes: {
    'wrong-status':
      'The response to a valid request for the banners has a status other than 200. Respond with 200 and the list, even if the list is empty.',
    'no-answer':
      'The connection was closed without a response to a valid request for the banners. Respond with 200 and the list.',
  },
  judge: (evidence) => {
    const lists = [BANNERS, BANNERS_AGAIN].flatMap(({ id }) => evidence.probes.get(id) ?? []);
    const [first] = lists;
    if (!first) return blockedOrUnsent(evidence, 'listBanners', 'the run ended before the request was sent');
    const unanswered = judgeNoResponse(lists, evidence);
    if (unanswered) return unanswered;
    if (evidence.blocked.listBanners) return blockedOrUnsent(evidence, 'listBanners', '');
    const exchange = lists.find(({ response }) => response?.status !== 200);
    if (!exchange) return passed([first]);
    const status = exchange.response?.status ?? 0;
    const message = `The response to a request for the banners is ${status}, expected 200.`;
    const deviation = everywhere(status, evidence);
    return failed({ mode: 'wrong-status', expected: 200, actual: status, message, deviation }, exchange);
  },
});

/** Where the list is instead, as far as that can be seen. */
function insteadOf(body: unknown): string {
  if (Array.isArray(body)) return ': the body itself is an array';
  if (!isRecord(body)) return '';
  if (Object.hasOwn(body, 'banners')) {
    const { banners } = body;
    return `: \`banners\` is ${isRecord(banners) ? 'an object' : inWords(banners)}`;
  }
  const [member] = Object.entries(body).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [name];
    return isRecord(value) && Array.isArray(value.banners) ? [`${name}/banners`] : [];
  });
  return member === undefined ? '' : `: there is one at ${JSON.stringify(`/${member}`)}`;
}

const shape = bannersCheck({
  id: 'banners-is-list',
  requirements: ['banners.shape'],
  title: 'The 200 body is an object with the array `banners`',
  failureModes: {
    'wrong-shape':
      'The body is not an object whose member `banners` is an array. Respond with `{"banners": […]}`, not with the bare array.',
  },
  judge: onEachList((exchange) => {
    if (bannersOf(exchange)) return passed([exchange]);
    const { json, text } = exchange.response ?? {};
    const actual = json?.ok ? json.value : (text ?? '');
    const message =
      json?.ok === false
        ? `The body is not a list of banners: ${json.reason}.`
        : `The body has no array \`banners\`${insteadOf(actual)}.`;
    const expected = 'an object with the array banners';
    const failure = { mode: 'wrong-shape', expected, actual, pointer: '/banners', message };
    return { ...failed(failure, exchange), restsOn: json?.ok ? [] : ['json-banners'] };
  }),
});

const elements = bannersCheck({
  id: 'banners-are-objects',
  requirements: ['banners.elements'],
  title: 'Every banner is an object',
  restsOn: ['banners-is-list'],
  failureModes: {
    'not-an-object': 'An element of `banners` is not an object. List each banner as an object with its members.',
  },
  judge: onList((exchange, banners) => {
    const index = banners.findIndex((banner) => !isRecord(banner));
    if (index !== -1) {
      const actual = banners[index];
      const message = `Banner ${index} is ${JSON.stringify(actual)}, expected an object.`;
      return failed(
        { mode: 'not-an-object', expected: 'an object', actual, pointer: `/banners/${index}`, message },
        exchange,
      );
    }
    return banners.length === 0 ? notApplicable('the target has no banners') : passed([exchange]);
  }),
});

const complete = bannersCheck({
  id: 'banners-complete',
  level: 'should',
  requirements: ['banners.all-configured'],
  title: 'The list contains every banner that the operator named',
  restsOn: ['banners-is-list', 'banners-stable', 'banners-kept-by-other-requests', 'banner-id', 'banner-id-unique'],
  needs: ['adminKey', 'bannerIds'],
  failureModes: {
    'banner-missing':
      'A configured banner is not in the list. List all of them, whatever their state. If it is not configured, correct CONFORMANCE_BANNER_IDS.',
  },
  judge: onList((exchange, banners, { inputs }) => {
    const ids = banners.map((banner) => (isRecord(banner) ? banner.id : undefined));
    const missing = (inputs.bannerIds ?? []).filter((id) => !ids.includes(id));
    if (missing.length === 0) return passed([exchange]);
    if (ids.includes(undefined)) return notObservable('some banners do not show an `id`', [exchange]);
    const shown = missing.map((id) => JSON.stringify(id)).join(', ');
    const message = `The list lacks banners that CONFORMANCE_BANNER_IDS names: ${shown}.`;
    return failed(
      { mode: 'banner-missing', expected: inputs.bannerIds, actual: ids, pointer: '/banners', message },
      exchange,
    );
  }),
});

/** The same text for the same values in any order. Of a large list, the texts of all values would take much memory. */
function digestInAnyOrder(values: readonly unknown[], part: (value: unknown) => unknown): string {
  const digests = values.map((value) => hash('sha1', JSON.stringify(part(value)), 'base64'));
  return hash('sha1', digests.sort().join(), 'base64');
}

function known(banner: Record<string, unknown>): unknown[] {
  return bannerMembers.map((name) => banner[name]);
}

/** Identifies a list: by the ids in any order, or by the banners where they have none. */
const fingerprint = rememberingEach((banners: readonly unknown[]) =>
  digestInAnyOrder(banners, (banner) => (isRecord(banner) ? (banner.id ?? known(banner)) : banner)),
);

/** Identifies a list by what the contract says of its banners, in any order. */
const contents = rememberingEach((banners: readonly unknown[]) =>
  digestInAnyOrder(banners, (banner) => (isRecord(banner) ? known(banner) : banner)),
);

/** What changed between two lists, as far as the contract says anything of it, in words; undefined if nothing did. */
export function bannersDifference(before: Exchange, after: Exchange): string | undefined {
  const [earlier, later] = [bannersOf(before), bannersOf(after)];
  // Large bodies that are the same are one object.
  if (!earlier || !later || earlier === later || contents(earlier) === contents(later)) return undefined;
  const byId = (banners: readonly unknown[]): Map<unknown, Record<string, unknown>> =>
    new Map(banners.filter(isRecord).map((banner) => [banner.id, banner]));
  const [old, current] = [byId(earlier), byId(later)];
  for (const [id, banner] of current) {
    const own = old.get(id);
    if (!own) return `there is another banner, ${inWords(id)}`;
    const member = bannerMembers.find((name) => !isDeepStrictEqual(own[name], banner[name]));
    if (member !== undefined)
      return `${member} of banner ${inWords(id)} is ${inWords(banner[member])} instead of ${inWords(own[member])}`;
  }
  const gone = [...old.keys()].find((id) => !current.has(id));
  return gone === undefined ? 'the banners are others' : `banner ${inWords(gone)} is gone`;
}

/**
 * Judges that consecutive lists are the same, as far as `print` tells. Where lists of the run differ, those count that were
 * requested while nothing else was sent.
 */
function judgeConsecutive(print: (banners: readonly unknown[]) => string, mode: string): Check['judge'] {
  return (evidence) => {
    const requested = evidence.sideEffects?.get('listBanners')?.quiet ?? evidence.probes.get(BANNERS_AGAIN.id) ?? [];
    const lists = requested.flatMap((exchange) => {
      const banners = bannersOf(exchange);
      return banners ? [{ exchange, banners }] : [];
    });
    const [first] = lists;
    if (!first || lists.length < LISTS)
      return blockedOrUnsent(evidence, 'listBanners', 'not every request for the list got one');
    const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
      one === other || print(one) === print(other);
    const changes = lists.filter(({ banners }, index) => !isSame(banners, lists[index - 1]?.banners ?? banners));
    const [change] = changes;
    if (!change) return passed(lists.map(({ exchange }) => exchange));
    // Somebody may have changed the banners once in the meantime; and updates may have, if the run ended too early to tell.
    if (changes.length === 1 || evidence.stopped)
      return notObservable('the banners changed during the run', [change.exchange]);
    const actual = lists.map(({ banners }) => banners.length);
    const message = `${LISTS} consecutive lists, of ${actual.join(', ')} banners, changed ${changes.length} times.`;
    const failure = { mode, expected: 'the same banners', actual, pointer: '/banners', message };
    return failed(failure, first.exchange, change.exchange);
  };
}

const stable = bannersCheck({
  id: 'banners-stable',
  level: 'should',
  requirements: ['banners.stable'],
  title: 'Consecutive lists contain the same banners',
  failureModes: {
    'other-banners': 'Consecutive lists contain different banners each time. List all configured banners every time.',
  },
  judge: judgeConsecutive(fingerprint, 'other-banners'),
});

/** Source: the method GET (RFC 9110, 9.2.1). */
const readOnly = bannersCheck({
  id: 'banners-read-only',
  level: 'should',
  requirements: ['banners.read-only'],
  title: 'Reading the list changes no banner',
  restsOn: ['banners-is-list', 'banners-stable'],
  failureModes: {
    'changed-by-reading':
      'Consecutive lists show other values of a banner each time. A request with GET must change nothing.',
  },
  judge: judgeConsecutive(contents, 'changed-by-reading'),
});

const uniqueIds = bannersCheck({
  id: 'banner-id-unique',
  level: 'should',
  requirements: ['banner.id-unique'],
  title: 'No two banners have the same `id`',
  restsOn: ['banners-is-list', 'banner-id'],
  failureModes: { 'repeated-id': 'Two banners of one list have the same `id`. Give each banner its own id.' },
  judge: onList((exchange, banners) => {
    const ids = banners.map((banner) => (isRecord(banner) ? banner.id : undefined));
    const first = new Map<unknown, number>();
    for (const [index, id] of ids.entries()) {
      const earlier = first.get(id ?? undefined);
      if (earlier === undefined) {
        if (id !== null && id !== undefined) first.set(id, index);
        continue;
      }
      const message = `The banners ${earlier} and ${index} have the same id ${JSON.stringify(id)}.`;
      const failure = { mode: 'repeated-id', expected: 'a unique id', actual: id, pointer: `/banners/${index}/id` };
      return failed({ ...failure, message }, exchange);
    }
    return ids.filter((id) => id !== undefined).length < 2
      ? notApplicable('fewer than two banners show an `id`')
      : passed([exchange]);
  }),
});

/** What the list is. Source: Resources, Banner; Endpoints, GET banners. */
export const bannerChecks: readonly Check[] = [accepted, shape, elements, complete, stable, readOnly, uniqueIds];
