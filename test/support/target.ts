import { using } from '../../common/using.ts';
import { environmentOf } from '../../cli/settings.ts';
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from '../../reference-server/server.ts';
import type { ApiRequest } from '../../reference-server/rules.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';

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

/** What an operator would set to have this server judged in full. */
export function environmentFor({ url, seed }: ReferenceServer): Record<string, string> {
  return environmentOf(inputsFor(url, seed));
}
