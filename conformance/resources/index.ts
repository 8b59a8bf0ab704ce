import { banners } from './banners/banners.ts';
import { namedAs, type Writable } from './inputs.ts';
import type { Resource, ResourceId, UpdatedResource } from './resource.ts';
import { users } from './user/user.ts';

/** Every resource: the only list of them. */
const resources: Readonly<Record<ResourceId, Resource>> = { user: users, banner: banners };

/** The resource that nothing shows but its updates. */
export const updatedResource: UpdatedResource = users;

/** What requests with a subject write. */
export function resourceOf(subject: Writable): Resource {
  const named = namedAs(subject);
  if (!named) throw new Error(`${subject} is not named by an input.`);
  return resources[named.resource];
}
