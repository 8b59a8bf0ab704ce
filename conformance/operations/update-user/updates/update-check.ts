import { type Exchange, isAccepted } from '../../../http/exchange.ts';
import type { Check, Judgement, OwnCheck } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import { blockedOrUnsent, preconditionFailed, unlessWriteWasLost } from '../../../judging/outcomes.ts';
import { unlessOtherId } from '../../../judging/other-id.ts';
import type { Scenario } from '../../../judging/traffic.ts';
import type { NamedUser } from '../../../target/user.ts';

/** A check without what all checks of an update have in common; the default level is `must`. */
export interface UpdateCheck extends OwnCheck {
  readonly scenarios: readonly Scenario[];
}

/** A check of what an update does. After an update without a response it fails for nothing that is stored. */
export function updateCheck({ scenarios, needs = [], ...given }: UpdateCheck): Check {
  return {
    ...given,
    judge: (evidence) => {
      const rounds = scenarios.flatMap((scenario) => roundsOf(evidence, scenario));
      const own = rounds.flatMap(({ updates, after }) => [...updates, ...after]);
      return unlessOtherId(unlessWriteWasLost(evidence, given.judge(evidence)), own);
    },
    area: 'update',
    level: given.level ?? 'must',
    operations: ['updateUser'],
    needs: [...new Set([...needs, ...scenarios.flatMap((scenario) => scenario.needs)])],
    uses: scenarios,
  };
}

/** Judges the rounds of a scenario. */
export type JudgeRounds = (rounds: readonly Round[], evidence: Evidence) => Judgement;

export const UNSENT = 'the run ended before the update was sent';

export function roundsOf(evidence: Evidence, scenario: Scenario): readonly Round[] {
  return (evidence.scenarios.get(scenario.id)?.rounds ?? []).filter(({ updates }) => updates.length > 0);
}

export function updatesOf(rounds: readonly Round[]): Exchange[] {
  return rounds.flatMap(({ updates }) => updates);
}

export function readingOf({ after }: Round, subject: NamedUser): Exchange | undefined {
  return after.find(({ request }) => request.subject === subject);
}

export function wordsOf(members: readonly string[]): string {
  return members.map((member) => `\`${member}\``).join(' and ');
}

/** Judges the effect of a scenario: its updates must have been sent and accepted. */
export function onAcceptedUpdates(scenario: Scenario, judge: JudgeRounds): Check['judge'] {
  return (evidence) => {
    const rounds = roundsOf(evidence, scenario);
    if (rounds.length === 0) return blockedOrUnsent(evidence, scenario.operation, UNSENT);
    const accepted = rounds.filter(({ updates }) => updates.every(isAccepted));
    if (accepted.length === 0) return preconditionFailed('the update itself was not accepted', updatesOf(rounds));
    return judge(accepted, evidence);
  };
}
