import type { WrittenDefect } from '../../../defect.ts';
import { acceptanceDefects } from './acceptance.ts';
import { emptyBodyDefects } from './empty-body.ts';
import { otherMembersDefects } from './other-members.ts';
import { otherUsersDefects } from './other-users.ts';
import { sentMembersDefects } from './sent-members.ts';
import { sequencesDefects } from './sequences.ts';
import { unsentMembersDefects } from './unsent-members.ts';

const servers: readonly WrittenDefect[] = [
  ...unsentMembersDefects,
  ...sentMembersDefects,
  ...acceptanceDefects,
  ...otherMembersDefects,
  ...otherUsersDefects,
  ...sequencesDefects,
  ...emptyBodyDefects,
];

/** Roles that no user has and no fault sets, so that a role that is sent is never there by chance. */
const inputs = { roleIds: [21, 22] };

/** Source: What the service does, 1; Endpoints, PUT user, rule. */
export const partialUpdateDefects: readonly WrittenDefect[] = servers.map((server) => ({ ...server, inputs }));
