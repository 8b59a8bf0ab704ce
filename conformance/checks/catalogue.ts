import { groupedBy } from '../../common/text.ts';
import { type Requirement, requirements } from '../../contract/document.ts';
import type { Check } from '../model/check.ts';
import { operations } from '../operations/index.ts';
import { authenticationChecks } from './authentication.ts';
import { errorChecks } from './errors.ts';
import { permissionChecks } from './permission.ts';
import { refusedChangesNothingChecks } from './refused-changes-nothing.ts';
import { shownChecks } from './shown.ts';
import { sideEffectChecks } from './side-effects.ts';

/** Every check of the suite: those of every operation, then those of each. */
export const checks: readonly Check[] = [
  ...authenticationChecks,
  ...permissionChecks,
  ...operations.flatMap(({ checks: own, negativeChecks = {} }) => [
    ...new Set([...own, ...Object.values(negativeChecks).flatMap((group) => group.checks)]),
  ]),
  ...refusedChangesNothingChecks,
  ...sideEffectChecks,
  ...shownChecks,
  ...errorChecks,
];

/** The checks of random sequences; they are part of a run only if it explores. */
export const explorationChecks: readonly Check[] = operations.flatMap(({ exploration }) => exploration ?? []);

const judging = new Map(
  groupedBy(
    checks.flatMap((check) => check.requirements.map((id) => ({ id, check }))),
    ({ id }) => id,
  ),
);

/** The checks that judge a requirement. */
export function checksOf({ id }: Requirement): Check[] {
  return (judging.get(id) ?? []).map(({ check }) => check);
}

/** The requirements that a check judges. */
export function requirementsOf(check: Check): Requirement[] {
  return requirements.filter(({ id }) => check.requirements.includes(id));
}
