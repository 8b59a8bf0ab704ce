import { authenticationDefects, frameworkDefects, permissionDefects } from './defects/authentication.ts';
import { bannerDefects, sideEffectDefects } from './defects/banners.ts';
import { bodyDefects, memberTypeDefects } from './defects/bodies.ts';
import { errorDefects, jsonDefects } from './defects/errors.ts';
import { memberDefects } from './defects/members.ts';
import { pathIdDefects } from './defects/path-ids.ts';
import { refusalDefects } from './defects/refusals.ts';
import { concurrencyDefects, repetitionDefects } from './defects/repetition.ts';
import { headerDefects, jsonDefects as spellingDefects, unlistedDefects } from './defects/spellings.ts';
import {
  acceptanceDefects,
  emptyBodyDefects,
  otherMemberDefects,
  otherUserDefects,
  sentDefects,
  unsentDefects,
} from './defects/updates.ts';
import { emailDefects, emptyTextDefects, nameDefects } from './defects/values.ts';
import type { Defect, Variant } from './server.ts';
import { bannerVariants } from './variants/banners.ts';
import { chanceVariants } from './variants/chance.ts';
import { errorVariants, httpVariants, keyVariants } from './variants/http.ts';
import { bodyVariants, boundVariants, effectVariants, orderVariants, requestVariants } from './variants/updates.ts';
import { extraVariants, idVariants, roleVariants, shownVariants, valueVariants } from './variants/users.ts';

/** Every defect. */
export const defects: readonly Defect[] = [
  ...[authenticationDefects, permissionDefects, frameworkDefects, pathIdDefects],
  ...[unsentDefects, sentDefects, acceptanceDefects, emptyBodyDefects, otherUserDefects, otherMemberDefects],
  ...[memberTypeDefects, bodyDefects, refusalDefects, repetitionDefects, concurrencyDefects],
  ...[nameDefects, emailDefects, emptyTextDefects, spellingDefects, headerDefects, unlistedDefects],
  ...[errorDefects, jsonDefects, memberDefects, bannerDefects, sideEffectDefects],
].flat();

/** Every conforming variant. */
export const variants: readonly Variant[] = [
  ...[httpVariants, errorVariants, keyVariants, bannerVariants],
  ...[shownVariants, valueVariants, idVariants, extraVariants, roleVariants],
  ...[bodyVariants, boundVariants, orderVariants, requestVariants, effectVariants],
  chanceVariants,
].flat();
