import { requirements, type Requirement } from '../../contract/document.ts';
import type { Check } from '../check.ts';
import { authenticationChecks } from './authentication.ts';
import { bannerChecks } from './banners.ts';
import { errorChecks } from './errors.ts';
import { missingUserChecks } from './missing-user.ts';
import { partialUpdateChecks } from './partial-update.ts';
import { pathIdChecks } from './path-id.ts';
import { permissionChecks } from './permission.ts';
import { refusalChecks } from './refusals.ts';
import { repetitionChecks } from './repetition.ts';
import { requestBodyChecks } from './request-body.ts';
import { unusualBodyChecks } from './unusual-bodies.ts';
import { userBodyChecks } from './user-body.ts';

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
