import type { OperationId } from '../contract/document.ts';
import type { Defect, WrittenDefect } from './defect.ts';
import { authenticationDefects } from './defects/every-operation/authentication.ts';
import { errorsDefects } from './defects/every-operation/errors.ts';
import { frameworksDefects } from './defects/every-operation/frameworks.ts';
import { mediaTypesDefects } from './defects/every-operation/media-types.ts';
import { membersDefects } from './defects/every-operation/members.ts';
import { pathsDefects } from './defects/every-operation/paths.ts';
import { permissionDefects, refusalsOfEveryWrite } from './defects/every-operation/refusals.ts';
import { bannersDefects } from './defects/list-banners/banners.ts';
import { sideEffectsDefects } from './defects/list-banners/side-effects.ts';
import { updateAuthenticationDefects } from './defects/update-user/authentication.ts';
import { missingUserDefects, pathIdDefects } from './defects/update-user/ids.ts';
import { partialUpdateDefects } from './defects/update-user/partial-update/index.ts';
import { updatePermissionDefects } from './defects/update-user/permission.ts';
import { laterDefects, refusalsDefects, updateErrorsDefects } from './defects/update-user/refusals.ts';
import { memberTypesDefects } from './defects/update-user/member-types.ts';
import { requestBodyDefects } from './defects/update-user/request-body.ts';
import { repetitionDefects } from './defects/update-user/repetition.ts';
import { unusualBodiesDefects } from './defects/update-user/unusual-bodies.ts';
import { unusualValuesDefects } from './defects/update-user/unusual-values.ts';
import { unreadableBodyDefects } from './defects/update-user/unreadable-body.ts';
import { userBodyDefects } from './defects/update-user/user-body.ts';
import { recorded } from './recorded/recorded.ts';
import type { Variant, WrittenVariant } from './variant.ts';
import { errorsVariants } from './variants/every-operation/errors.ts';
import { httpVariants } from './variants/every-operation/http.ts';
import { keysVariants } from './variants/every-operation/keys.ts';
import { bannersVariants } from './variants/list-banners/banners.ts';
import { sideEffectsVariants } from './variants/list-banners/side-effects.ts';
import { roleVariants } from './variants/update-user/roles.ts';
import { shownMembersVariants } from './variants/update-user/shown-members.ts';
import { updatesVariants } from './variants/update-user/updates.ts';
import { userVariants } from './variants/update-user/users.ts';

/** The servers of the proof that are particular to an operation. */
interface OperationServers {
  readonly defects: readonly WrittenDefect[];
  readonly variants: readonly WrittenVariant[];
}

/** The only list of the operations in the proof. An operation that is missing here does not compile. */
const byOperation: Readonly<Record<OperationId, OperationServers>> = {
  updateUser: {
    defects: [
      ...updateAuthenticationDefects,
      ...updatePermissionDefects,
      ...partialUpdateDefects,
      ...unusualValuesDefects,
      ...unusualBodiesDefects,
      ...repetitionDefects,
      ...memberTypesDefects,
      ...requestBodyDefects,
      ...unreadableBodyDefects,
      ...pathIdDefects,
      ...missingUserDefects,
      ...refusalsDefects,
      ...userBodyDefects,
      ...laterDefects,
      ...updateErrorsDefects,
    ],
    variants: [...shownMembersVariants, ...userVariants, ...roleVariants, ...updatesVariants],
  },
  listBanners: {
    defects: [...bannersDefects, ...sideEffectsDefects],
    variants: [...bannersVariants, ...sideEffectsVariants],
  },
};

/**
 * The defect or variant with this id.
 *
 * @throws Error if there is none
 */
export function called<Server extends WrittenDefect | WrittenVariant>(servers: readonly Server[], id: string): Server {
  const found = servers.find((each) => each.id === id);
  if (!found) throw new Error(`The proof has no server ${id}.`);
  return found;
}

const withKillers = (defect: WrittenDefect): Defect => ({ ...defect, killedBy: recorded.killedBy[defect.id] ?? {} });

function withUndecided(variant: WrittenVariant): Variant {
  const inconclusive = recorded.inconclusive[variant.id];
  return inconclusive ? { ...variant, inconclusive } : variant;
}

/** Every defect: first those that are generated for every operation from the contract. */
export const defects: readonly Defect[] = [
  ...authenticationDefects,
  ...permissionDefects,
  ...errorsDefects,
  ...frameworksDefects,
  ...mediaTypesDefects,
  ...membersDefects,
  ...pathsDefects,
  ...refusalsOfEveryWrite,
  ...Object.values(byOperation).flatMap((servers) => servers.defects),
].map(withKillers);

/** Every conforming variant, first those that concern every operation. */
export const variants: readonly Variant[] = [
  ...errorsVariants,
  ...keysVariants,
  ...httpVariants,
  ...Object.values(byOperation).flatMap((servers) => servers.variants),
].map(withUndecided);
