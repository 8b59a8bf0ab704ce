import { documentedStatuses, type OperationId, route } from '../../contract/document.ts';
import { groupedBy } from '../../common/text.ts';
import { type Exchange, inWords, isAccepted, isSafe, objectBody, sentBody } from '../http/exchange.ts';
import type { Check, Judgement } from '../judging/check.ts';
import type { BatchEvidence, Change, Evidence } from '../judging/evidence.ts';
import { goingOn } from '../judging/goes-on.ts';
import { unlessOtherId } from '../judging/other-id.ts';
import {
  anyBlockedOrUnsent,
  explainedBy,
  failed,
  notObservable,
  passed,
  preconditionFailed,
  unlessWriteWasLost,
} from '../judging/outcomes.ts';
import { isProbe, type Probe } from '../judging/traffic.ts';
import { operations as all } from '../operations/index.ts';
import { seen } from '../target/user-state.ts';
import { untouchedCheckOf, USER_WORDS } from '../target/user.ts';
import type { Operation } from '../traffic/operation.ts';
import { authenticationChecks } from './authentication.ts';
import { permissionChecks } from './permission.ts';

const MODES = {
  'changed-user':
    'A request that was refused changed the user that it addressed. Validate everything before storing anything.',
  'other-user-changed':
    'A request that was refused changed a user that it did not address. Validate everything before storing anything.',
  'went-on':
    'A request was refused, and carried out all the same. Stop after the refusal: respond, and do nothing else.',
};

/** Probes whose requests are judged. */
type Probes = readonly Pick<Probe, 'id' | 'mayBreakUser'>[];

/** The changes that requests made; other checks report what wrongly accepted ones changed. */
function culpritsAmong(evidence: Evidence, probes: Probes, mayBeAccepted: boolean) {
  return evidence.batches.flatMap(({ culprits }) =>
    probes.flatMap((probe) => {
      const exchanges = evidence.probes.get(probe.id) ?? [];
      if (!mayBeAccepted && exchanges.some(isAccepted)) return [];
      return (culprits?.get(probe.id) ?? []).map((change) => ({ probe, change }));
    }),
  );
}

function failureOf(
  { id }: Pick<Probe, 'id'>,
  { subject, member, before, after, exchange }: Change,
  evidence: Evidence,
): Judgement {
  const refused = evidence.probes.get(id)?.at(-1);
  const purpose = refused?.request.purpose ?? id;
  const status = refused?.response?.status ?? 'nothing';
  const message = `${purpose}: the response is ${status}, but ${member} of ${USER_WORDS[subject]} changed from ${inWords(before)} to ${inWords(after)}.`;
  const deviation = goingOn(refused?.response?.status, evidence);
  const changed = subject === 'user' ? 'changed-user' : 'other-user-changed';
  const how = deviation === undefined ? { mode: changed } : { mode: 'went-on', deviation, leads: true };
  const failure = { ...how, expected: before, actual: after, pointer: `/${member}`, message };
  const judgement = failed(failure, ...(refused ? [refused] : []), exchange);
  // A target that stores what it accepts only after it responded stores it beside other requests.
  const sentEarlier = evidence.history(subject).some(({ request }) => sentBody(request)?.[member] === after);
  const late = sentEarlier ? all.flatMap(({ shows }) => shows.explainedBy?.(member, 'late') ?? []) : [];
  // A member that every update changes is changed by the reading, too.
  return { ...judgement, restsOn: [untouchedCheckOf(member), ...late] };
}

/** The checks of the requests that may have changed members of a user in place of those that are judged. */
function changedElsewhere(members: readonly string[]): readonly string[] {
  const ofUpdates = all.flatMap(({ shows: { explainedBy: checksOf = () => [] } }) => [
    ...checksOf('id', 'taken'),
    ...members.flatMap((member) => [...checksOf(member, 'lost'), ...checksOf(member, 'late')]),
  ]);
  return [...refusedChangesNothingChecks.map(({ id }) => id), ...ofUpdates];
}

/** Whether requests that may break a user did so: their checks say it. */
function isBroken({ probes, mayBreakUser, after }: BatchEvidence, sent: Probes): boolean {
  const own = sent.filter(({ id }) => probes.includes(id));
  const isGone = own.every((probe) => probe.mayBreakUser) && after.some(({ response }) => !response);
  const isUnreadable = (exchange: Exchange): boolean =>
    exchange.response !== undefined && (!isAccepted(exchange) || objectBody(exchange) === undefined);
  return mayBreakUser === true && (isGone || after.some(isUnreadable));
}

/**
 * Judges that requests changed no user: no reading after them shows that, or another request did it.
 *
 * @param mayBeAccepted whether they must not change a user even if they are accepted
 */
export function judgeUnchanged(
  evidence: Evidence,
  operations: readonly OperationId[],
  probes: Probes,
  mayBeAccepted: boolean,
): Judgement {
  const sent = probes.filter(({ id }) => evidence.probes.has(id));
  if (sent.length === 0 || operations.some((operation) => evidence.blocked[operation]))
    return anyBlockedOrUnsent(evidence, operations, 'the run ended before the requests were sent');
  const [culprit] = culpritsAmong(evidence, sent, mayBeAccepted);
  if (culprit) return failureOf(culprit.probe, culprit.change, evidence);

  const exchanges = sent.flatMap(({ id }) => evidence.probes.get(id) ?? []);
  if (!exchanges.some((each) => each.response && (mayBeAccepted || !isAccepted(each))))
    return preconditionFailed(
      mayBeAccepted ? 'none of these requests got a response' : 'none of these requests was refused',
      exchanges.slice(0, 1),
    );

  const history = evidence.history('user');
  const ids = sent.map(({ id }) => id);
  const batches = evidence.batches.filter(
    (batch) => batch.probes.some((id) => ids.includes(id)) && !isBroken(batch, sent),
  );
  const readingsOf = (some: readonly BatchEvidence[]): Exchange[] =>
    some.flatMap(({ after }) => after.filter(({ request }) => request.subject === 'user'));
  for (const [, passes] of groupedBy(batches, ({ probes: own }) => own.join())) {
    const unseen = ['name', 'email'].filter((member) =>
      readingsOf(passes).every((exchange) => seen(exchange, member, history).kind !== 'shown'),
    );
    if (unseen.length > 0) {
      const detail = `the target does not show ${unseen.join(' and ')} after these requests`;
      const judgement = explainedBy(notObservable(detail), ...changedElsewhere(unseen));
      const readings = readingsOf(passes);
      // What shows nothing of the user was not chosen as a way to read it.
      return unlessOtherId(judgement, readings.length > 0 ? readings : history);
    }
  }
  const unexplained = batches.flatMap(({ changes, culprits, acceptedSome }) => {
    const explained = acceptedSome || [...(culprits?.values() ?? [])].some((each) => each.length > 0);
    return explained ? [] : changes.map(({ member }) => member);
  });
  if (unexplained.length > 0) {
    const detail =
      'the user changed while these requests were sent concurrently, but none of them changed it again by itself';
    return explainedBy(notObservable(detail), ...changedElsewhere(unexplained));
  }
  return passed(readingsOf(batches));
}

/** The inputs that every probe of a group needs: with these, at least one can be sent. */
function commonNeeds(probes: readonly Probe[]): Probe['needs'] {
  const [first, ...rest] = probes;
  return (first?.needs ?? []).filter((name) => rest.every(({ needs }) => needs.includes(name)));
}

function unchangedCheck(given: Operation, group: string, title: string, checks: readonly Check[]): Check {
  const { id: operation, slug, control, restoresUsers } = given;
  const probes = [...new Set(checks.flatMap(({ uses }) => uses.filter(isProbe)))].filter(
    (probe) => probe.operation === operation,
  );
  return {
    id: `refused-${restoresUsers ? '' : `${slug}-`}${group}-changes-nothing`,
    area: 'refusals',
    level: 'must',
    requirements: ['update.refused-changes-nothing'],
    title,
    operations: [operation],
    needs: [...new Set([...control.traffic.needs, ...commonNeeds(probes)])],
    uses: probes,
    failureModes: MODES,
    judge: (evidence) => {
      const judgement = unlessWriteWasLost(evidence, judgeUnchanged(evidence, [operation], probes, false));
      return explainedBy(judgement, ...checks.map(({ id }) => id));
    },
  };
}

function unchangedChecks(operation: Operation): Check[] {
  const [{ what }] = operation.validRequests;
  const authentication = [...authenticationChecks, ...operation.checks].filter(({ area }) => area === 'auth');
  const byStatus: readonly (readonly [number, readonly Check[]])[] = [
    [401, authentication],
    [403, permissionChecks],
  ];
  const groups = Object.entries(operation.negativeChecks ?? {});
  return [
    ...byStatus
      .filter(([status]) => documentedStatuses(operation.id).includes(status))
      .map(([status, checks]) =>
        unchangedCheck(operation, String(status), `${what} that is refused with ${status} changes no user`, checks),
      ),
    ...groups.map(([group, given]) => unchangedCheck(operation, group, `${given.what} change no user`, given.checks)),
  ];
}

/** What no refused request of an operation that writes may do. Source: Endpoints, PUT user, responses; Errors. */
export const refusedChangesNothingChecks: readonly Check[] = all
  .filter(({ id }) => !isSafe(route(id)))
  .flatMap(unchangedChecks);
