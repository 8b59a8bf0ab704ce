import type { User } from '../../../../contract/document.ts';
import type { Behaviour } from '../../../behaviour.ts';
import type { Defect } from '../../../defect.ts';
import { alike } from '../../../table.ts';
import { showing } from '../../responses.ts';
import { anUpdate } from '../updates.ts';
import { acceptanceDefects } from './acceptance.ts';
import { emptyBodyDefects } from './empty-body.ts';
import { otherMembersDefects } from './other-members.ts';
import { otherUsersDefects } from './other-users.ts';
import { sentMembersDefects } from './sent-members.ts';
import { sequencesDefects } from './sequences.ts';
import { sends } from './shapes.ts';
import { unsentMembersDefects } from './unsent-members.ts';

/** Responds with a few members and those that were sent. */
function showingFew(...few: readonly (keyof User)[]): Behaviour {
  return showing(anUpdate, (body, { request }) => {
    const user = body as User;
    return Object.fromEntries([...few, ...sends(request)].map((member) => [member, user[member]]));
  });
}

const shownWhenSent = alike(['update.kept-members-shown'], { 'update-kept-members-shown': 'only-when-sent' })({
  'shows-what-was-sent-with-username: Responses show only the id, the username and the members that were sent.':
    showingFew('id', 'username'),
  'shows-what-was-sent-with-times: Responses show only the id, two points in time and the members that were sent.':
    showingFew('id', 'createdAt', 'seenAt'),
  'shows-what-was-sent-and-email: Responses show only the id, the e-mail address, the account type and the members that were sent.':
    showingFew('id', 'email', 'accountType'),
});

const servers: readonly Defect[] = [
  ...unsentMembersDefects,
  ...sentMembersDefects,
  ...acceptanceDefects,
  ...otherMembersDefects,
  ...otherUsersDefects,
  ...sequencesDefects,
  ...emptyBodyDefects,
  ...shownWhenSent,
];

/** Roles that no user has and no fault sets, so that a role that is sent is never there by chance. */
const inputs = { roleIds: [21, 22] };

/** Source: What the service does, 1; Endpoints, PUT user, rule. */
export const partialUpdateDefects: readonly Defect[] = servers.map((server) => ({ ...server, inputs }));
