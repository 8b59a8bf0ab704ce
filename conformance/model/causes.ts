import { isDeepStrictEqual } from 'node:util';
import { isRecord, parsedJson, rememberingEach } from '../../common/json.ts';
import { badCredentials } from '../http/credentials.ts';
import { type Exchange, isSafe, sentBody } from '../http/exchange.ts';
import type { Deviation } from './facts.ts';
import { defectsOf, bodyOf, statusOf, valuesSent } from './recording/view.ts';
import { isMissing } from '../resources/inputs.ts';
import { pathId } from '../resources/requests.ts';
import { updatedResource } from '../resources/index.ts';

/**
 * Why one deviation follows from another one. `consequence`: what it shows may be due to the other alone, so its check is
 * inconclusive. `same`: the target does the same in another place, so its check fails too, and both are one finding.
 */
export interface Rule {
  readonly id: string;
  readonly as: 'consequence' | 'same';
  /** Completes "one explains the other:". */
  readonly why: string;
  readonly explains: (a: Deviation, b: Deviation) => boolean;
}

const before = (a: Deviation, b: Deviation): boolean => a.x.startedAt <= b.x.startedAt;
const isSubset = <T>(few: readonly T[], many: readonly T[]): boolean => few.every((each) => many.includes(each));
const sameOperation = (a: Deviation, b: Deviation): boolean => a.x.request.operation === b.x.request.operation;
const dueOf = (d: Deviation): Deviation['x']['request']['due'] => d.x.request.due;
const defects = (d: Deviation): readonly string[] => defectsOf(d.x.request);
const hasSameDefects = (a: Deviation, b: Deviation): boolean => defects(a).join() === defects(b).join();
const isOfKey = (defect: string): boolean => defect === 'key' || defect === 'permission';
const requirement = (d: Deviation): string => d.requirements[0] ?? '';
const isOutcome = (d: Deviation): boolean => d.kind === 'outcome';
const isAcceptance = (d: Deviation): boolean => isOutcome(d) && d.actual === 'accepted';
const isOfRefuse = (d: Deviation): boolean => isOutcome(d) && dueOf(d).class === 'refuse';
/** A refusal with another status than the one that is due. */
const isOtherStatus = (d: Deviation): boolean => isOfRefuse(d) && typeof d.actual === 'number';
const isNoResponse = (d: Deviation): boolean => isOutcome(d) && d.actual === 'no response';
/** A request that should have been accepted, or may be, and got another status. */
const isRefusal = (d: Deviation): boolean =>
  isOutcome(d) && dueOf(d).class !== 'refuse' && typeof d.actual === 'number';
const isOfConcurrent = (d: Deviation): boolean => dueOf(d).role === 'concurrent';
/** A concurrent request that was refused because others were under way. */
const isBesideOthers = (d: Deviation): boolean => isRefusal(d) && isOfConcurrent(d) && d.isBeside === true;
const isAltered = (d: Deviation): boolean => d.kind === 'altered';
/** What responses show of a member after an update. */
const isData = (d: Deviation): boolean => ['changed', 'not-stored', 'stale-response'].includes(d.kind);
const isUntouched = (member = ''): boolean => updatedResource.untouched.includes(member);
const sends = (x: Exchange, member = ''): boolean => Object.hasOwn(bodyOf(x), member);
const isBlamed = (d: Deviation, ...classes: readonly string[]): boolean => classes.includes(d.change?.blamed ?? '');
const mayBeBy = (d: Deviation, x: Exchange): boolean =>
  d.change?.between.some(({ exchange }) => exchange === x) === true;
const isNobodys = (d: Deviation): boolean => d.requirements.length === 0;
const classes = (d: Deviation): readonly string[] => d.change?.classes ?? [];

/** Ranks ways to send no valid key: who takes a weaker one takes those above, too. */
function keyRank({ request: { credential } }: Exchange): number {
  const ranks: Readonly<Record<string, number>> = {
    'no-header': 0,
    'unknown-key': 1,
    'shortened-key': 2,
    'key-in-body': 4,
    'auth.header-only': 4,
    'auth.key-alone': 5,
  };
  const requirement = badCredentials.find(({ id }) => id === credential.bad)?.requirement;
  return ranks[credential.bad ?? ''] ?? ranks[requirement ?? ''] ?? 3;
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** What is wrong with an invalid body, by type: of the whole, or of its members; `unreadable` if it is not JSON. */
export const wrongTypes = rememberingEach(({ request: { body, charset } }: Exchange): readonly string[] => {
  if (body === undefined) return ['absent'];
  if (charset !== undefined) return ['bytes'];
  const value = parsedJson(body);
  if (value === undefined) return ['unreadable'];
  if (!isRecord(value)) return [typeOf(value)];
  return updatedResource.updatable.flatMap((member) => wrongTypeOf(value, member) ?? []);
});

/** The type of a member, if it is sent and of a wrong one. */
function wrongTypeOf(body: Readonly<Record<string, unknown>>, member = ''): string | undefined {
  if (!Object.hasOwn(body, member)) return undefined;
  const type = typeOf(body[member]);
  const isWrong = member === 'rootRole' ? !['number', 'object', 'string'].includes(type) : type !== 'string';
  return isWrong ? type : undefined;
}

/** Whether the body of a request is JSON at all, or there is none to read. */
const isReadable = (d: Deviation): boolean => !['unreadable', 'bytes'].includes(wrongTypes(d.x)[0] ?? '');

const wholeIsWrong = ({ x }: Deviation): boolean => sentBody(x.request) === undefined;

/** The kinds that compare what responses show. */
const COMPARED: readonly Deviation['kind'][] = [
  ...(['changed', 'not-stored', 'stale-response', 'sent-not-shown', 'altered'] as const),
  ...(['other-resource', 'absent', 'repeated'] as const),
];

const isSameResource = (a: Deviation, b: Deviation): boolean => (a.subject === undefined) === (b.subject === undefined);

/** What is changed by requests that are less simple than the one that shows it first, by requirement. */
const changedToo = (): Readonly<Record<string, readonly string[]>> => ({
  'update.addressed-user-only': ['update.concurrent-users'],
  'update.refused-changes-nothing': ['update.concurrent-refusals'],
  'update.unsent-fields-keep': [
    'update.earlier-updates-keep',
    'update.empty-body-changes-nothing',
    'update.refused-changes-nothing',
    'update.concurrent-fields',
    'update.concurrent-refusals',
    'side-effects.of-reading',
  ],
});

/** The deviations of the same kind, actual outcome and operation. */
const sameOutcome = (a: Deviation, b: Deviation): boolean =>
  isOfRefuse(a) && isOfRefuse(b) && a.actual === b.actual && sameOperation(a, b);

export const RULES: readonly Rule[] = [
  {
    id: 'fewer-defects',
    as: 'consequence',
    why: 'the same outcome of a request with fewer defects; what lets a defect pass judges the rest',
    explains: (a, b) =>
      (sameOutcome(a, b) || (isAcceptance(a) && isOtherStatus(b) && Number(b.actual) < 500 && sameOperation(a, b))) &&
      defects(a).length < defects(b).length &&
      isSubset(defects(a), defects(b)) &&
      !(isAcceptance(b) && lacksKey(b) && !lacksKey(a)),
  },
  {
    id: 'weaker-key',
    as: 'same',
    why: 'who takes a weaker key, or refuses it so, does so with a better one',
    explains: (a, b) =>
      sameOutcome(a, b) &&
      defects(a).includes('key') &&
      lacksKey(b) &&
      isDeepStrictEqual(...([a, b].map((d) => defects(d).filter((each) => !isOfKey(each))) as [unknown, unknown])) &&
      keyRank(a.x) < keyRank(b.x) &&
      keyRank(b.x) < 4,
  },
  {
    id: 'any-key',
    as: 'consequence',
    why: 'who needs no key, or takes any, takes one in another place, or beside other words',
    explains: (a, b) =>
      sameOutcome(a, b) &&
      isOnlyKey(a) &&
      defects(b).includes('key') &&
      keyRank(b.x) > 3 &&
      (keyRank(a.x) < 2 || requirement(a) === (keyRank(b.x) === 4 ? 'auth.key-required' : 'auth.key-valid')),
  },
  {
    id: 'must-first',
    as: 'consequence',
    why: 'the same outcome of the same defect in its plain form',
    explains: (a, b) =>
      sameOutcome(a, b) &&
      hasSameDefects(a, b) &&
      ((a.level === 'must' &&
        b.level === 'should' &&
        (!isAcceptance(a) || !defects(a).includes('body') || isPlainFormOf(a, b))) ||
        (isAcceptance(a) && isSameIdIn32Bits(a, b))),
  },
  {
    id: 'same-type',
    as: 'same',
    why: 'a value of one wrong type is taken for several members, or for the body: its type is not looked at',
    explains: (a, b) =>
      isAcceptance(a) && isAcceptance(b) && ((isSameType(a, b) && isPlainer(a, b)) || isUnreadableAlike(a, b)),
  },
  {
    id: 'once-missing',
    as: 'consequence',
    why: 'the second request for what is missing gets the same wrong response as the first',
    explains: (a, b) =>
      sameOutcome(a, b) &&
      before(a, b) &&
      !isAcceptance(a) &&
      dueOf(a).onceMissing?.requirements[0] === requirement(b) &&
      requirement(a) !== requirement(b),
  },
  {
    id: 'combined',
    as: 'consequence',
    why: 'a request that is unusual in several ways is judged by the one that is unusual in one of them',
    explains: (a, b) =>
      causeOf(a).due.role === 'unusual' &&
      causeOf(a).due.checks.length < causeOf(b).due.checks.length &&
      isSubset(causeOf(a).due.checks, causeOf(b).due.checks) &&
      [a, b].every(({ kind }) => ['outcome', 'altered', 'damaged', 'changed'].includes(kind)),
  },
  {
    id: 'other-status',
    as: 'same',
    why: 'one deviation, whether it shows as an acceptance or as another status, and where the request may be accepted',
    explains: (a, b) =>
      (isAcceptance(a) && isOtherStatus(b) && requirement(a) === requirement(b)) ||
      (isOtherStatus(a) &&
        dueOf(a).statuses[0] === 400 &&
        Number(a.actual) < 500 &&
        isRefusal(b) &&
        dueOf(b).class === 'either' &&
        a.actual === b.actual),
  },
  {
    id: 'carried-out',
    as: 'same',
    why: 'who goes on after refusing shows it in the body, in the status, and in what changes',
    explains: (a, b) =>
      a.kind === 'carried-out' &&
      ((b.kind === 'carried-out' && before(a, b)) ||
        (['response', 'shape'].includes(b.kind) && statusOf(b.x) === statusOf(a.x)) ||
        (isOtherStatus(b) && (b.actual === statusOf(a.x) || dueOf(b).statuses.includes(statusOf(a.x)))) ||
        classes(b).includes('refused')),
  },
  {
    id: 'refused-alike',
    as: 'consequence',
    why: 'what valid requests get as well, always, now and then, or beside others, says nothing of another request',
    explains: (a, b) =>
      (sameOperation(a, b) || isOfKeys(a)) &&
      ((a.kind === 'sporadic' &&
        (['outcome', 'damaged'].includes(b.kind) || (isOfKeys(b) && !isSafe(a.x.request) && isSafe(b.x.request))) &&
        a.actual === statusOf(b.x) &&
        (!isOfConcurrent(b) || a.isBeside === false)) ||
        (isBesideOthers(a) && b.isBeside === true && !isOfConcurrent(b) && a.actual === b.actual) ||
        (isBesideOthers(a) &&
          isBesideOthers(b) &&
          a.actual === b.actual &&
          requirement(a) === 'update.concurrent-fields' &&
          requirement(b) === 'update.concurrent-users') ||
        (isOutcome(a) &&
          (dueOf(a).class === 'accept' || (isNoResponse(a) && a.x.request.body === b.x.request.body)) &&
          (isOutcome(b)
            ? dueOf(b).class !== 'accept' &&
              a.actual === b.actual &&
              (isRefusal(a) || (isNoResponse(a) && before(a, b)))
            : b.kind === 'damaged' &&
              a.x.startedAt < (b.by?.startedAt ?? 0) &&
              (a.actual === statusOf(b.x) || (isNoResponse(a) && !b.x.response))))),
  },
  {
    id: 'lost',
    as: 'consequence',
    why: 'a value that was lost is shown as null',
    explains: (a, b) =>
      ['changed', 'not-stored'].includes(a.kind) &&
      b.kind === 'member' &&
      a.member === b.member &&
      a.actual === null &&
      b.actual === null &&
      (!sends(b.x, b.member) || dueOf(b).role === 'concurrent'),
  },
  {
    id: 'type',
    as: 'consequence',
    why: 'what is of a wrong type, or of another user, cannot be compared',
    explains: (a, b) =>
      (a.kind === 'member' &&
        COMPARED.includes(b.kind) &&
        a.member === b.member &&
        isSameResource(a, b) &&
        (a.actual !== null || (sends(a.x, a.member) && dueOf(a).role !== 'concurrent'))) ||
      (a.kind === 'other-resource' && ['changed', 'not-stored'].includes(b.kind) && !isBlamed(b, 'refused')),
  },
  {
    id: 'fewer-suspects',
    as: 'consequence',
    why: 'the same change where fewer requests can have made it, or nobody can be blamed for it',
    explains: (a, b) =>
      a.kind === 'changed' &&
      (isNobodys(a)
        ? !isNobodys(b) && isSubset(classes(a), classes(b)) && a.member === b.member && a.subject === b.subject
        : (sameGroup(a, b) || isBlamed(b, 'writer')) &&
          ((classes(a).length < classes(b).length && isSubset(classes(a), classes(b))) ||
            (classes(b).includes(a.change?.blamed ?? '') && !classes(a).includes(b.change?.blamed ?? '')) ||
            (isBlamed(a, 'refused') && isBlamed(b, 'refused') && fewerRefused(a, b)))),
  },
  {
    id: 'back-again',
    as: 'consequence',
    why: 'what has its value again was not changed, but shown wrongly before',
    explains: (a, b) =>
      a.kind === 'changed' &&
      b.kind === 'changed' &&
      before(a, b) &&
      a.member === b.member &&
      a.subject === b.subject &&
      !isSentBySuspects(b) &&
      isDeepStrictEqual(a.actual, b.expected) &&
      isDeepStrictEqual(a.expected, b.actual),
  },
  {
    id: 'treatment',
    as: 'consequence',
    why: 'what a request shows, changes and breaks follows from how it was treated',
    explains: (a, b) =>
      isOutcome(a) &&
      (((isRefusal(a) || isAcceptance(a)) && mayBeBy(b, a.x)) ||
        (b.kind === 'damaged' && b.by === a.x) ||
        (isAcceptance(a) && isAcceptance(b) && isCreatedBy(a.x, b.x)) ||
        (isRefusal(a) && b.x === a.x && ['response', 'shape', 'carried-out'].includes(b.kind)) ||
        (isAcceptance(a) &&
          b.kind === 'member' &&
          before(a, b) &&
          a.x.request.subject === b.x.request.subject &&
          sends(a.x, b.member))),
  },
  {
    id: 'not-stored',
    as: 'consequence',
    why: 'who stores nothing that is sent keeps, shows and checks nothing of it',
    explains: (a, b) =>
      isUnstored(a) &&
      ((a.member === b.member &&
        (isAltered(b) ||
          b.kind === 'stale-response' ||
          (b.kind === 'changed' &&
            a.subject === b.subject &&
            !isAcross(b) &&
            requirement(b) !== 'update.sent-fields-change'))) ||
        (isAcceptance(b) &&
          defects(b).includes('body') &&
          ignores(a) &&
          a.subject === b.x.request.subject &&
          (wholeIsWrong(b)
            ? storesNothing(a)
            : wrongTypeOf(bodyOf(b.x), a.member) !== undefined && isSubset(sentBy(a.by ?? a.x), sentBy(b.x))))),
  },
  {
    id: 'lost-as-well',
    as: 'consequence',
    why: 'what is lost now and then, or with another member of the same update, has its old value again',
    explains: (a, b) =>
      b.old !== undefined &&
      ignores(b) &&
      (a.kind === 'sporadic'
        ? a.member !== undefined && COMPARED.includes(b.kind)
        : isUnstored(a) && !isUnstored(b) && a.member !== b.member && isSender(a.by, b)),
  },
  {
    id: 'stored-elsewhere',
    as: 'consequence',
    why: 'what was stored of another user was not stored of its own',
    explains: (a, b) => isAcross(a) && isUnstored(b) && a.subject !== b.subject,
  },
  {
    id: 'misplaced',
    as: 'same',
    why: 'what was sent as one member, and is not stored there, went to another one',
    explains: (a, b) =>
      isUnstored(a) &&
      b.kind === 'changed' &&
      isUntouched(b.member) &&
      b.subject === a.subject &&
      b.by !== undefined &&
      valuesSent(b.by).includes(b.actual),
  },
  {
    id: 'plain-first',
    as: 'consequence',
    why: 'an ordinary update does it too',
    explains: (a, b) =>
      sameOperation(a, b) &&
      !isNobodys(a) &&
      a.level === 'must' &&
      b.level === 'should' &&
      !isBlamed(a, 'refused', 'wrongly-accepted', 'read') &&
      (isData(a) || (dueOf(a).class === 'accept' && (isRefusal(a) || isNoResponse(a)))) &&
      ((before(a, b) && isAltered(b) && (!isData(a) || a.member === b.member)) ||
        (before(a, b) && !isData(a) && (isRefusal(b) || isNoResponse(b))) ||
        (isBlamed(b, 'unusual', 'unlisted') && (!isData(a) || a.member === b.member)) ||
        (isBlamed(b, 'concurrent') && (!isData(a) || sameGroup(a, b)))),
  },
  {
    id: 'simpler-request',
    as: 'consequence',
    why: 'what a simpler request changes, others change too, and what a refused one, so does one that might be accepted',
    explains: (a, b) =>
      a.kind === 'changed' &&
      b.kind === 'changed' &&
      a.member === b.member &&
      (changedToo()[requirement(a)]?.includes(requirement(b)) === true ||
        isCreatedAnew(a, b) ||
        (isBlamed(a, 'refused') && a.level === 'must' && b.mode === 'refused-yet-changed')),
  },
  {
    id: 'undecided',
    as: 'consequence',
    why: 'a response that does not show what was sent, where nothing tells whether it was stored',
    explains: (a, b) =>
      b.kind === 'sent-not-shown' &&
      (['stale-response', 'not-stored', 'member'].includes(a.kind) || isBlamed(a, 'sender')),
  },
  {
    id: 'plain-text',
    as: 'consequence',
    why: 'what is done to a plain text or body is done to an unusual spelling of it',
    explains: (a, b) =>
      (((isAltered(a) || a.kind === 'damaged' || (isRefusal(a) && shareLetters(a, b))) &&
        requirement(a) === 'update.values-faithful') ||
        (isOfRefuse(a) && requirement(a) === 'request-body.well-formed')) &&
      (isAltered(b) ||
        b.kind === 'damaged' ||
        b.kind === 'changed' ||
        ((isRefusal(b) || isNoResponse(b)) && a.actual === b.actual)) &&
      requirement(b) === 'update.json-faithful',
  },
  {
    id: 'unstable-list',
    as: 'consequence',
    why: 'a list that differs each time lacks banners, and changes beside anything',
    explains: (a, b) =>
      (['unstable', 'side-effect'].includes(a.kind) &&
        ['absent', 'side-effect', 'repeated'].includes(b.kind) &&
        a.kind !== b.kind) ||
      (a.kind === 'repeated' && b.kind === 'absent'),
  },
  {
    id: 'wrong-alike',
    as: 'same',
    why: 'several members are wrong in the same way: null, or one type in place of another',
    explains: (a, b) =>
      a.kind === 'member' &&
      b.kind === 'member' &&
      a.mode === 'wrong-type' &&
      b.mode === 'wrong-type' &&
      a.member !== b.member &&
      a.old === b.old &&
      sameOperation(a, b),
  },
];

/** Whether a creation time is set anew by updates, and so differs beside other requests, too. */
function isCreatedAnew(a: Deviation, b: Deviation): boolean {
  return (
    a.member === 'createdAt' &&
    requirement(a) === 'update.other-members-keep' &&
    !['update.other-members-keep', ''].includes(requirement(b))
  );
}

/** Whether a request was accepted that may have created what another operation finds later. */
function isCreatedBy(one: Exchange, { request, startedAt }: Exchange): boolean {
  const { subject, operation } = one.request;
  const isOfOther = operation !== request.operation && isMissing(subject) && subject === request.subject;
  return isOfOther && !isSafe(one.request) && one.startedAt <= startedAt;
}

/** The request that is judged: that which broke, or changed something, or the one that shows it. */
function causeOf(d: Deviation): Exchange['request'] {
  return (d.by ?? d.x).request;
}

/** Whether two names have a character in common that is not in ASCII. */
function shareLetters(a: Deviation, b: Deviation): boolean {
  const [one, other] = [a, b].map((d) => Array.from(String(bodyOf(d.x).name)));
  return one?.some((letter) => letter > '\u007f' && other?.includes(letter)) === true;
}

/** Whether a valid key is refused now and then: all operations have that in common. */
const isOfKeys = (d: Deviation): boolean => d.kind === 'sporadic' && d.actual === 401;

function isOnlyKey(d: Deviation): boolean {
  return defects(d).join() === 'key';
}

/** Whether a request lacks a key with the permission it needs. */
function lacksKey(d: Deviation): boolean {
  return defects(d).some(isOfKey);
}

/** Whether two bodies are wrong by a value of one type. */
function isSameType(a: Deviation, b: Deviation): boolean {
  const types = wrongTypes(b.x);
  return wrongTypes(a.x).some((type) => types.includes(type));
}

/** Whether one body that was accepted is wrong as the other one is: neither can be read, or both have values of one wrong type. */
function isPlainFormOf(a: Deviation, b: Deviation): boolean {
  return isReadable(a) || isReadable(b) ? isSameType(a, b) && !isPlainer(a, b) : true;
}

/** Whether both path ids are the same for a server that keeps 32 bits of them. */
function isSameIdIn32Bits(a: Deviation, b: Deviation): boolean {
  const integers = [a, b].map(({ x }) => pathId(x.request) ?? '').filter((id) => /^-?\d+$/.test(id));
  const [one, other] = integers.map((id) => BigInt.asIntN(32, BigInt(id)));
  return requirement(a) === 'path-id.exact' && requirement(b) !== 'path-id.exact' && one === other;
}

/** Whether a body that cannot be read counts as `{}`, and so does what is no object. */
function isUnreadableAlike(a: Deviation, b: Deviation): boolean {
  const isWhole = a.level === 'must' && b.level === 'must' && wholeIsWrong(b);
  return isWhole && !isReadable(a) && isReadable(b) && hasSameDefects(a, b);
}

/** Whether one request is wrong in its member alone, or in its first member. */
function isPlainer(a: Deviation, b: Deviation): boolean {
  const rank = (d: Deviation): number =>
    ['request-body.name-type', 'request-body.email-type', 'request-body.object', 'request-body.root-role-type'].indexOf(
      requirement(d),
    );
  return rank(a) !== -1 && rank(a) < rank(b);
}

/** Whether a request that may have changed a member sends what it changed to. */
function isSentBySuspects({ change, member = '', actual }: Deviation): boolean {
  return (change?.suspects ?? []).some(({ exchange }) => isDeepStrictEqual(bodyOf(exchange)[member], actual));
}

/** Whether a member may have changed because this update did not store it. */
function isSender(update: Exchange | undefined, { change }: Deviation): boolean {
  return change?.suspects.some((each) => each.class === 'sender' && each.exchange === update) === true;
}

function isUnstored(d: Deviation): boolean {
  return d.kind === 'not-stored' || (d.kind === 'changed' && requirement(d) === 'update.sent-fields-change');
}

const sentBy = (exchange: Exchange): readonly string[] => Object.keys(bodyOf(exchange));

/** Whether nothing of an update of several members is stored: so the body is not looked at. */
function storesNothing({ by, x }: Deviation): boolean {
  const sent = Object.entries(bodyOf(by ?? x));
  const { shownIn, compare } = updatedResource;
  const shown = shownIn(x);
  return (
    shown !== undefined &&
    sent.length > 1 &&
    sent.every(([member, value]) => compare(member, value, shown[member]) === 'different')
  );
}

/** Whether a user shows what was sent for the other one. */
function isAcross(d: Deviation): boolean {
  if (d.kind !== 'changed' || !['update.addressed-user-only', 'update.concurrent-users'].includes(requirement(d)))
    return false;
  return d.by !== undefined && typeof d.actual === 'string' && valuesSent(d.by).includes(d.actual);
}

function ignores(d: Deviation): boolean {
  return d.old === undefined || isDeepStrictEqual(d.actual, d.old);
}

function sameGroup(a: Deviation, b: Deviation): boolean {
  return isUntouched(a.member) === isUntouched(b.member);
}

/** Whether fewer kinds of refused requests can have made a change. */
function fewerRefused(a: Deviation, b: Deviation): boolean {
  const [few = [], many = []] = [a, b].map(({ change }) => {
    const refused = (change?.suspects ?? []).filter((each) => each.class === 'refused');
    return [...new Set(refused.map(({ exchange }) => exchange.request.item))];
  });
  return few.length < many.length && isSubset(few, many);
}

/** Why a deviation is no root: the one that explains it, and by which rule. */
export interface Explained {
  readonly by: Deviation;
  readonly rule: Rule;
}

/** What explains each deviation that is no root. Roots are those that nothing explains, and the first of any that explain only each other. */
export function explain(all: readonly Deviation[]): ReadonlyMap<Deviation, Explained> {
  const reasons = new Map<Deviation, Explained[]>();
  const follows = new Map<Deviation, Deviation[]>(all.map((a) => [a, []]));
  for (const b of all) {
    const own = RULES.flatMap((rule) =>
      all.filter((a) => a !== b && rule.explains(a, b)).map((by): Explained => ({ by, rule })),
    );
    if (own.length > 0) reasons.set(b, own);
    for (const { by } of own) follows.get(by)?.push(b);
  }
  const reached = new Map<Deviation, number>();
  const reach = (root: Deviation): void => {
    const queue = [root];
    for (let a = queue.shift(); a; a = queue.shift()) {
      if (reached.has(a)) continue;
      reached.set(a, reached.size);
      queue.push(...(follows.get(a) ?? []));
    }
  };
  for (const each of [...all.filter((d) => !reasons.has(d)), ...all]) reach(each);
  const found = new Map<Deviation, Explained>();
  for (const [b, given] of reasons) {
    const earlier = given.filter(({ by }) => (reached.get(by) ?? 0) < (reached.get(b) ?? 0));
    // What may be due to another one alone is not said to be the same.
    const own = earlier.find(({ rule }) => rule.as === 'consequence') ?? earlier[0];
    if (own) found.set(b, own);
  }
  return found;
}

/** The root that a deviation follows from, in the end; itself, if it is one. */
export function rootOf(d: Deviation, why: ReadonlyMap<Deviation, Explained>): Deviation {
  let at = d;
  for (let next = why.get(at); next; next = why.get(at)) at = next.by;
  return at;
}
