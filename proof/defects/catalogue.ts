import type { Defect } from '../defect.ts';
import { authenticationDefects } from './authentication.ts';
import { bannersDefects } from './banners.ts';
import { errorsDefects } from './errors.ts';
import { keysDefects } from './keys.ts';
import { missingUserDefects } from './missing-user.ts';
import { partialUpdateDefects } from './partial-update.ts';
import { pathIdDefects } from './path-id.ts';
import { permissionDefects } from './permission.ts';
import { refusalsDefects } from './refusals.ts';
import { requestBodyDefects } from './request-body.ts';
import { singleRequestsDefects } from './single-requests.ts';
import { unusualUpdatesDefects } from './unusual-updates.ts';
import { userBodyDefects } from './user-body.ts';

/** Every defect, by area. */
export const defects: readonly Defect[] = [
  ...authenticationDefects,
  ...keysDefects,
  ...permissionDefects,
  ...partialUpdateDefects,
  ...unusualUpdatesDefects,
  ...requestBodyDefects,
  ...pathIdDefects,
  ...missingUserDefects,
  ...refusalsDefects,
  ...userBodyDefects,
  ...errorsDefects,
  ...bannersDefects,
  ...singleRequestsDefects,
];
