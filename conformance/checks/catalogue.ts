import { requirements, type Requirement } from '../../contract/document.ts';
import type { Check } from '../judging/check.ts';
import { authenticationChecks } from './authentication.ts';
import { bannerChecks } from '../operations/list-banners/checks.ts';
import { errorChecks } from './errors.ts';
import { missingUserChecks } from '../operations/update-user/missing-user.ts';
import { partialUpdateChecks } from '../operations/update-user/partial-update.ts';
import { pathIdChecks } from '../operations/update-user/path-id.ts';
import { permissionChecks } from './permission.ts';
import { refusalChecks } from '../operations/update-user/refused-changes-nothing.ts';
import { repetitionChecks } from '../operations/update-user/repetition.ts';
import { requestBodyChecks } from '../operations/update-user/request-body.ts';
import { unusualBodyChecks } from '../operations/update-user/unusual-bodies.ts';
import { userBodyChecks } from './user-schema.ts';

/** Every check of the suite, by area. */
export const checks: readonly Check[] = [
  ...authenticationChecks,
  ...permissionChecks,
  ...partialUpdateChecks,
  ...requestBodyChecks,
  ...pathIdChecks,
  ...missingUserChecks,
  ...refusalChecks,
  ...unusualBodyChecks,
  ...repetitionChecks,
  ...userBodyChecks,
  ...errorChecks,
  ...bannerChecks,
];

/** The checks that judge a requirement. */
export function checksOf(requirement: Requirement): Check[] {
  return checks.filter((check) => check.requirements.includes(requirement.id));
}

/** The requirements that a check judges. */
export function requirementsOf(check: Check): Requirement[] {
  return requirements.filter(({ id }) => check.requirements.includes(id));
}
