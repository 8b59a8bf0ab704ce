import type { UpdateUser } from '../../../contract/document.ts';
import type { ApiRequest, Rules } from '../../../reference-server/rules.ts';
import { type Around, sentId } from '../../defects/requests.ts';
import { isUpdate } from '../../defects/update-user/updates.ts';
import { answering } from '../freedoms.ts';

/** The path id of an update, as it was sent. */
export function updatedId(request: ApiRequest): string | undefined {
  return isUpdate({ request }) ? sentId(request) : undefined;
}

/** The steps in which an update checks a request before it changes anything. */
export type Step = 'key' | 'permission' | 'id' | 'media-type' | 'syntax' | 'schema' | 'user';

/** Updates users after checking the request in another order. `user` comes after `id`, `schema` after `syntax`, `permission` after `key`. */
export function looking(...order: readonly Step[]): Around {
  return answering((request, rules, store) => {
    const segment = updatedId(request);
    if (segment === undefined) return undefined;
    let caller: ReturnType<Rules['authenticate']> = 'restricted';
    let id = NaN;
    let value: unknown;
    let update: UpdateUser = {};
    const steps: Record<Step, () => void> = {
      key: () => (caller = rules.authenticate(request, store)),
      permission: () => {
        rules.authorize(caller);
      },
      id: () => (id = rules.parseUserId(segment)),
      'media-type': () => {
        rules.requireJsonMediaType(request);
      },
      syntax: () => (value = rules.parseBody(request.body)),
      schema: () => (update = rules.validateUpdate(value)),
      user: () => rules.findUser(store, id),
    };
    for (const step of order) steps[step]();
    return rules.succeed(rules.presentUser(rules.applyUpdate(store, rules.findUser(store, id), update)));
  });
}
