import type { Target } from './target.ts';

/**
 * Gives the users new values, so that a fault that is looked for again does not find what it left behind.
 *
 * @param ids of the users; default all. What responses break here counts only if all are renewed, and then not at all
 */
export async function renewUsers(target: Target, ids: readonly string[] = target.ids): Promise<void> {
  if (!target.isUsable) return;
  const { fresh, inputs } = target;
  const renew = (id: string): Promise<unknown> => {
    const role = inputs.roleIds && { rootRole: target.newRole(id) };
    return target.send(target.readingOf(id, JSON.stringify({ name: fresh.name(), email: fresh.email(), ...role })));
  };
  await Promise.all(ids.map(renew));
  if (ids.length < target.ids.length) return;
  await target.state();
  target.audit.conclude(() => false);
}
