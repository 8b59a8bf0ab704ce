import type { Change, Check, Evidence, Judgement } from '../../judging/check.ts';
import { isAccepted } from '../../http/exchange.ts';
import { seen } from '../../target/user-state.ts';
import { isProbe, type Probe } from '../../judging/check.ts';
import { authenticationChecks } from '../../checks/authentication.ts';
import {
  failed,
  laneObstacle,
  notObservable,
  passed,
  preconditionFailed,
  unlessWriteWasLost,
} from '../../judging/outcomes.ts';
import { missingUserChecks } from './missing-user.ts';
import { pathIdChecks } from './path-id.ts';
import { permissionChecks } from '../../checks/permission.ts';
import { requestBodyChecks } from './request-body.ts';

const MODES = {
  'changed-user':
    'A request that was refused changed the user that it addressed. Check everything first, and store only then.',
  'other-user-changed':
    'A request that was refused changed a user that it did not address. Check everything first, and store only then.',
};

interface Culprit {
  readonly probe: Probe;
  readonly change: Change;
}

/** The changes that refused requests of a group made; changes by wrongly accepted ones are for other checks. */
function culpritsAmong(evidence: Evidence, probes: readonly Probe[]): Culprit[] {
  return evidence.batches.flatMap(({ culprits }) =>
    probes.flatMap((probe) => {
      const exchanges = evidence.probes.get(probe.id)?.exchanges ?? [];
      if (exchanges.some(isAccepted)) return [];
      return (culprits?.get(probe.id) ?? []).map((change) => ({ probe, change }));
    }),
  );
}

function failureOf({ probe, change }: Culprit, evidence: Evidence): Judgement {
  const { subject, member, before, after, exchange } = change;
  const refused = evidence.probes.get(probe.id)?.exchanges.at(-1);
  const user = subject === 'user' ? 'the user' : 'the other user';
  const purpose = refused?.request.purpose ?? probe.id;
  const status = refused?.response?.status ?? 'nothing';
  const message = `${purpose} was answered ${status}, yet ${member} of ${user} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}.`;
  const mode = subject === 'user' ? 'changed-user' : 'other-user-changed';
  const failure = { mode, expected: before, actual: after, pointer: `/${member}`, message };
  return failed(failure, ...(refused ? [refused] : []), exchange);
}

function judgeUnchanged(evidence: Evidence, probes: readonly Probe[]): Judgement {
  const sent = probes.filter(({ id }) => evidence.probes.has(id));
  if (sent.length === 0 || evidence.blocked.users)
    return laneObstacle(evidence, 'users', 'the run ended before the requests were sent');
  const [culprit] = culpritsAmong(evidence, sent);
  if (culprit) return failureOf(culprit, evidence);

  const answers = sent.flatMap(({ id }) => evidence.probes.get(id)?.exchanges ?? []);
  if (!answers.some((each) => each.response && !isAccepted(each)))
    return preconditionFailed('none of these requests was refused', answers.slice(0, 1));

  const history = evidence.history('user');
  const readings = evidence.batches.flatMap(({ after }) => after.filter(({ subject }) => subject === 'user'));
  const unseen = ['name', 'email'].filter((member) =>
    readings.every(({ exchange }) => seen(exchange, member, history).kind !== 'shown'),
  );
  if (unseen.length > 0) {
    return notObservable(`the target does not show ${unseen.join(' and ')} after a refused request`);
  }
  const unexplained = evidence.batches.some(({ changes, culprits, acceptedSome }) => {
    const explained = acceptedSome || [...(culprits?.values() ?? [])].some((each) => each.length > 0);
    return changes.length > 0 && !explained;
  });
  if (unexplained) {
    return notObservable(
      'the user changed while requests were refused side by side, but no single one of them changed it again',
    );
  }
  return passed(readings.map(({ exchange }) => exchange));
}

function unchangedCheck(id: string, title: string, checks: readonly Check[]): Check {
  const probes = [...new Set(checks.flatMap(({ uses }) => uses.filter(isProbe)))].filter(
    ({ lane }) => lane === 'users',
  );
  return {
    id,
    area: 'refusals',
    level: 'must',
    requirements: ['update.refused-changes-nothing'],
    title,
    lane: 'users',
    needs: [...new Set(['adminKey', 'userId', ...commonNeeds(probes)] as const)],
    uses: probes,
    failureModes: MODES,
    judge: (evidence) => unlessWriteWasLost(evidence, judgeUnchanged(evidence, probes)),
  };
}

/** The inputs that every probe of a group needs: with these, at least one can be sent. */
function commonNeeds(probes: readonly Probe[]): Probe['needs'] {
  const [first, ...rest] = probes;
  return (first?.needs ?? []).filter((name) => rest.every(({ needs }) => needs.includes(name)));
}

/** Source: Endpoints, PUT user, responses; Errors. */
export const refusalChecks: readonly Check[] = [
  unchangedCheck('refused-401-changes-nothing', 'Updates refused with 401 change no user', authenticationChecks),
  unchangedCheck('refused-403-changes-nothing', 'Updates refused with 403 change no user', permissionChecks),
  unchangedCheck('refused-400-changes-nothing', 'Updates refused with 400 change no user', requestBodyChecks),
  unchangedCheck('refused-404-changes-nothing', 'Updates of a missing user change no user', missingUserChecks),
  unchangedCheck(
    'refused-path-id-changes-nothing',
    'Updates with a path id that is no integer change no user',
    pathIdChecks,
  ),
];
