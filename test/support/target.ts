import { using } from '../../common/using.ts';
import { environmentOf } from '../../cli/input/settings.ts';
import type { Result, Target } from '../../conformance/index.ts';
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from '../../reference-server/server.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import type { ApiRequest } from '../../reference-server/rules.ts';
import { judgeServer } from '../../proof/servers/judge.ts';
import { inputsFor, withBehaviour, type Behaviour, type RunningBehaviour } from '../../proof/servers/behaviour.ts';

export const MISSING_USER_ID = '404404';

/** Starts a server, lets something be done with it and with the requests that it got, and ends it whatever happens. */
export function withServer<T>(
  options: ReferenceServerOptions,
  use: (server: ReferenceServer, requests: readonly ApiRequest[]) => Promise<T>,
): Promise<T> {
  const requests: ApiRequest[] = [];
  const around: ReferenceServerOptions['around'] = (handle, store, rules) => {
    const own = options.around?.(handle, store, rules) ?? handle;
    return (request) => {
      requests.push(request);
      return own(request);
    };
  };
  return using(createReferenceServer({ ...options, around }), (server) => use(server, requests));
}

/** Lets something be done with a server of this process that has no socket: `reach` is how a run reaches it. */
export function withTarget<T>(behaviour: Behaviour, use: (server: RunningBehaviour) => Promise<T>): Promise<T> {
  return withBehaviour(behaviour, use, false);
}

/** All that a run can be told about a server but its banners. */
export function targetOf({ url, seed }: { readonly url: string; readonly seed: Pick<Seed, 'keys'> }): Target {
  return { ...inputsFor(url, { ...defaultSeed, keys: seed.keys }), baseUrl: url, bannerIds: undefined };
}

/** The result of a complete run on the reference server. */
export async function judgeReference(): Promise<Result> {
  return (await judgeServer({})).result;
}

/** What an operator would set to have this server judged in full. */
export function environmentFor({ url, seed }: ReferenceServer): Record<string, string> {
  return environmentOf(inputsFor(url, seed));
}
