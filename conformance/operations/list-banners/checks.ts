import { isRecord } from '../../../common/json.ts';
import { groupedBy } from '../../../common/text.ts';
import { type Exchange, inWords, isAccepted, isSafe } from '../../http/exchange.ts';
import type { Check, OwnCheck } from '../../model/check.ts';
import type { Notes } from '../../model/facts.ts';
import { endOf, statusOf, type View } from '../../model/recording/view.ts';
import { TIME_FORMS } from '../../resources/resource.ts';
import { bannersOf, bannersDifference, contents, fingerprint } from '../../resources/banners/banners.ts';
import { BANNERS, BANNERS_AGAIN, RESTRICTED_BANNERS } from './requests.ts';

function bannersCheck(given: OwnCheck): Check {
  return {
    area: 'banners',
    alongside: 'all',
    level: 'must',
    operations: ['listBanners'],
    needs: ['adminKey'],
    uses: [BANNERS, BANNERS_AGAIN, RESTRICTED_BANNERS],
    ...given,
  };
}

const ownChecks: readonly OwnCheck[] = [
  {
    id: 'banners-accepted',
    requirements: ['banners.success-is-200'],
    title: 'A request for the banners gets the response 200',
    failureModes: {
      refused: 'A valid request for the banners was refused. Respond with 200 and the list, even if the list is empty.',
      'wrong-success-status':
        'The response to a valid request for the banners has a 2xx status other than 200. Respond with 200 and the list.',
      redirected:
        'The response to a valid request for the banners is a redirect. Respond under the path of the contract, without a redirect.',
      'server-error':
        'The response to a valid request for the banners has a 5xx status. The log of the server may say why.',
      'no-response':
        'The connection was closed without a response to a valid request for the banners. Respond with 200 and the list.',
    },
  },
  {
    id: 'banners-is-list',
    requirements: ['banners.shape'],
    title: 'The 200 body is an object with the array `banners`',
    failureModes: {
      'wrong-shape':
        'The body is not an object whose member `banners` is an array. Respond with `{"banners": […]}`, not with the bare array.',
    },
  },
  {
    id: 'banners-are-objects',
    requirements: ['banners.elements'],
    title: 'Every banner is an object',
    failureModes: {
      'not-an-object': 'An element of `banners` is not an object. List each banner as an object with its members.',
    },
  },
  {
    id: 'banners-complete',
    level: 'should',
    requirements: ['banners.all-configured'],
    title: 'The list contains every banner that the operator named',
    needs: ['adminKey', 'bannerIds'],
    failureModes: {
      'banner-missing':
        'A configured banner is not in the list. List all of them, whatever their state. If it is not configured, correct CONFORMANCE_BANNER_IDS.',
    },
  },
  {
    id: 'banners-stable',
    level: 'should',
    requirements: ['banners.stable'],
    title: 'Consecutive lists contain the same banners',
    failureModes: {
      'other-banners': 'Consecutive lists contain different banners each time. List all configured banners every time.',
    },
  },
  // Source: the method GET (RFC 9110, 9.2.1).
  {
    id: 'banners-read-only',
    level: 'should',
    requirements: ['banners.read-only'],
    title: 'Reading the list changes no banner',
    failureModes: {
      'changed-by-reading':
        'Consecutive lists show other values of a banner each time. A request with GET must change nothing.',
    },
  },
  {
    id: 'banner-id-unique',
    level: 'should',
    requirements: ['banner.id-unique'],
    title: 'No two banners have the same `id`',
    failureModes: { 'repeated-id': 'Two banners of one list have the same `id`. Give each banner its own id.' },
  },
];

/** What the list is. Source: Resources, Banner; Endpoints, GET banners. */
export const bannerChecks: readonly Check[] = ownChecks.map(bannersCheck);

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
  return member === undefined ? '' : `: there is one at ${inWords(`/${member}`)}`;
}

/** Judges one list of banners. Source: Resources, Banner; Endpoints, GET banners. */
export function judgeBannersBody(x: Exchange, { inputs }: View, notes: Notes): boolean {
  const banners = bannersOf(x);
  if (!banners) {
    const actual = x.response?.json.ok ? x.response.json.value : x.response?.text;
    const own = {
      x,
      checks: ['banners-is-list'],
      requirements: ['banners.shape'],
      mode: 'wrong-shape',
      pointer: '/banners',
    };
    const message = `The body has no array \`banners\`${insteadOf(actual)}.`;
    notes.deviates({ kind: 'shape', ...own, expected: '(array)', actual, message });
    return false;
  }
  notes.holds(['banners-is-list'], x);
  const at = banners.findIndex((banner) => !isRecord(banner));
  if (at !== -1) {
    const own = { x, checks: ['banners-are-objects'], requirements: ['banners.elements'], mode: 'not-an-object' };
    const message = `Banner ${at} is ${inWords(banners[at])}, expected an object.`;
    notes.deviates({
      kind: 'shape',
      ...own,
      expected: '(object)',
      actual: banners[at],
      pointer: `/banners/${at}`,
      message,
    });
  } else if (banners.length > 0) notes.holds(['banners-are-objects'], x);
  else notes.absent('banners-are-objects', 'the target has no banners');
  const ids = banners.map((banner) => (isRecord(banner) ? banner.id : undefined));
  judgeIds(x, ids, notes);
  const wanted = inputs.bannerIds ?? [];
  const missing = wanted.filter((id) => !ids.includes(id));
  if (missing.length === 0) {
    if (inputs.bannerIds) notes.holds(['banners-complete'], x);
  } else if (ids.includes(undefined))
    notes.doubtful(['banners-complete'], {
      reason: 'not-observable',
      detail: 'some banners do not show an `id`',
      exchanges: [x],
    });
  else {
    const message = `The list lacks banners that CONFORMANCE_BANNER_IDS names: ${missing.map((id) => JSON.stringify(id)).join(', ')}.`;
    const own = { x, checks: ['banners-complete'], requirements: ['banners.all-configured'], mode: 'banner-missing' };
    notes.deviates({
      kind: 'absent',
      member: 'id',
      ...own,
      expected: wanted,
      actual: ids,
      pointer: '/banners',
      message,
    });
  }
  return true;
}

function judgeIds(x: Exchange, ids: readonly unknown[], notes: Notes): void {
  const first = new Map<unknown, number>();
  for (const [index, id] of ids.entries()) {
    if (id === null || id === undefined) continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else {
      const message = `The banners ${earlier} and ${index} have the same id ${inWords(id)}.`;
      const own = { x, checks: ['banner-id-unique'], requirements: ['banner.id-unique'], mode: 'repeated-id' };
      notes.deviates({
        kind: 'repeated',
        member: 'id',
        ...own,
        expected: '(a unique id)',
        actual: id,
        pointer: `/banners/${index}/id`,
        message,
      });
      return;
    }
  }
  if (ids.filter((id) => id !== undefined).length < 2)
    notes.absent('banner-id-unique', 'fewer than two banners show an `id`');
  else notes.holds(['banner-id-unique'], x);
}

/** The list that shows yet another creation time of a banner: one that is set anew whenever it is read. */
function createdAnew(lists: readonly Exchange[]): { readonly x: Exchange; readonly id: unknown } | undefined {
  const times = new Map<unknown, Set<number>>();
  for (const x of lists)
    for (const banner of bannersOf(x) ?? []) {
      if (!isRecord(banner) || banner.id === undefined || typeof banner.createdAt !== 'string') continue;
      const own = times.get(banner.id) ?? new Set();
      times.set(banner.id, own.add(Date.parse(banner.createdAt)));
      if (own.size > TIME_FORMS) return { x, id: banner.id };
    }
  return undefined;
}

/** A request counts as the cause of a change if the list changes each time that it is sent, so many times. */
const TIMES = 3;

/** How a request is, for a cause: what it asks for, and how it was treated. */
function kindOf(exchange: Exchange): string {
  return `${statusOf(exchange)} ${exchange.request.purpose.replaceAll(/ \d+/g, '')}`;
}

/** Judges that the list stays as it is, whatever is read and whoever is updated. Source: RFC 9110, 9.2.1; the operations. */
export function judgeBannersKept({ exchanges, blocked, stopped }: View, notes: Notes): void {
  const lists = exchanges.filter(
    (each) => each.request.due.role === 'snapshot' && isAccepted(each) && bannersOf(each) !== undefined,
  );
  const writing = exchanges.filter(
    (each) => !isSafe(each.request) && each.response && !(each.request.body === '{}' && isAccepted(each)),
  );
  const pairs = lists.slice(1).map((x, index) => {
    const earlier = lists[index] ?? x;
    const between = writing.filter((each) => each.startedAt <= x.startedAt && endOf(each) > endOf(earlier));
    const [one, other] = [bannersOf(earlier) ?? [], bannersOf(x) ?? []];
    const differs = one !== other && contents(one) !== contents(other);
    return { earlier, x, between, differs, others: differs && fingerprint(one) !== fingerprint(other) };
  });
  const changed = pairs.filter(({ differs }) => differs);
  const [first] = changed;
  const quiet = pairs.filter(({ between }) => between.length === 0);
  const moved = quiet.filter(({ differs }) => differs);
  const checks = ['banners-stable', 'banners-read-only', 'banners-kept-by-other-requests'];
  const [start] = lists;
  if (!start || lists.length < 4) return;
  if (!first) {
    notes.holds(checks.slice(0, 2), start);
    const isWritten = exchanges.some(
      (each) =>
        !isSafe(each.request) &&
        isAccepted(each) &&
        each.startedAt >= start.startedAt &&
        each.startedAt <= (lists.at(-1)?.startedAt ?? 0),
    );
    if (isWritten && Object.keys(blocked).length === 0) notes.holds(['banners-kept-by-other-requests'], start);
    return;
  }
  const anew = createdAnew(lists);
  if (anew) {
    notes.deviates({
      ...{ kind: 'unstable', x: anew.x, shows: [start, anew.x], mode: 'changed-by-reading' },
      ...{ requirements: ['banners.read-only'], checks: ['banners-read-only'] },
      ...{ expected: '(the time when it was created)', actual: '(another one each time)', pointer: '/banners' },
      message: `createdAt of banner ${inWords(anew.id)} is another time whenever the list is read: ${bannersDifference(start, anew.x) ?? ''}.`,
    });
    return;
  }
  const again = moved[0];
  if (again && moved.length > 1 && moved.length * 2 >= quiet.length && !stopped) {
    const isOther = moved.find(({ others }) => others);
    const at = isOther ?? again;
    const sizes = lists.slice(0, 4).map((each) => bannersOf(each)?.length);
    const difference = bannersDifference(at.earlier, at.x) ?? '';
    const message = `Consecutive lists, of ${sizes.join(', ')} banners, changed ${moved.length} times although nothing was sent in between: ${difference}.`;
    const judged = isOther
      ? { mode: 'other-banners', requirements: ['banners.stable'], checks: ['banners-stable'] }
      : { mode: 'changed-by-reading', requirements: ['banners.read-only'], checks: ['banners-read-only'] };
    notes.deviates({
      ...{ kind: 'unstable', x: at.x, shows: [at.earlier, at.x], message, ...judged },
      ...{ expected: 'the same banners', actual: difference },
    });
    return;
  }
  const isQuiet = ({ between, differs }: (typeof pairs)[number]): boolean => between.length === 0 && !differs;
  if (pairs.some((_each, at) => at > 1 && pairs.slice(at - 2, at + 1).every(isQuiet)))
    notes.holds(checks.slice(0, 2), start);
  const single = pairs.filter(({ between }) => between.length === 1);
  for (const [, some] of groupedBy(single, ({ between: [only] }) => (only ? kindOf(only) : ''))) {
    const [from, last] = [some[0], some.at(-1)];
    const [cause] = from?.between ?? [];
    if (!from || !last || !cause) continue;
    const without = pairs.filter(
      ({ between, x }) => between.length === 0 && x.startedAt >= from.x.startedAt && x.startedAt <= last.x.startedAt,
    );
    const isCause = some.length >= TIMES && without.length >= TIMES && some.every(({ differs }) => differs);
    if (!isCause || without.some(({ differs }) => differs)) continue;
    const difference = bannersDifference(from.earlier, from.x) ?? '';
    const message = `${cause.request.purpose}: the response is ${statusOf(cause)}, and the banners change each time that it is sent: ${difference}.`;
    notes.deviates({
      ...{ kind: 'side-effect', x: cause, shows: [from.earlier, cause, from.x], message, by: cause },
      ...{ requirements: ['side-effects.of-updates'], checks: ['banners-kept-by-other-requests'] },
      mode: isAccepted(cause) ? 'changed-by-accepted' : 'changed-by-refused',
      expected: 'the same banners',
      actual: difference,
    });
  }
  const detail = 'the banners changed during the run, but not each time that a request was sent again';
  const undecided = checks.filter((check) => !notes.witnesses.has(check));
  notes.doubtful(undecided, { reason: 'not-observable', detail, exchanges: [first.x] });
}
