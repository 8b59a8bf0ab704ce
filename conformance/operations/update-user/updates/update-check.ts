import type { Level } from '../../../../contract/document.ts';
import { type Exchange, isAccepted, sentBody } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import { blockedOrUnsent, preconditionFailed, unlessWriteWasLost } from '../../../judging/outcomes.ts';
import type { Scenario } from '../../../judging/traffic.ts';
import type { InputName } from '../../../target/inputs.ts';
import type { NamedUser } from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';

export interface UpdateCheck {
  readonly id: string;
  /** Default `must`. */
  readonly level?: Level;
  readonly requirements: readonly string[];
  readonly title: string;
  readonly scenarios: readonly Scenario[];
  readonly needs?: readonly InputName[];
  readonly failureModes: Readonly<Record<string, string>>;
  readonly restsOn?: readonly string[];
  readonly sameFaultAs?: readonly string[];
  readonly judge: Check['judge'];
}

/** A check of what an update does. After an update without a response it fails for nothing that is stored. */
export function updateCheck({ scenarios, needs = [], ...given }: UpdateCheck): Check {
  return {
    ...given,
    judge: (evidence) => unlessWriteWasLost(evidence, given.judge(evidence)),
    area: 'update',
    level: given.level ?? 'must',
    operations: [UPDATE_USER],
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
  return after.find((reading) => reading.subject === subject)?.exchange;
}

export function sentIn({ request }: Exchange, member: string): unknown {
  return sentBody(request)?.[member];
}

export function sends({ request }: Exchange, member: string): boolean {
  return Object.hasOwn(sentBody(request) ?? {}, member);
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
