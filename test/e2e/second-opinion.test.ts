import { describe, expect, it } from 'vitest';
import { using } from '../../common/using.ts';
import type { Exchange } from '../../conformance/http/exchange.ts';
import type { RunEvent, RunOptions } from '../../conformance/run/events.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import type { ReferenceServer, ReferenceServerOptions } from '../../reference-server/server.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { startPrism } from '../../proof/servers/prism.ts';
import { withServer } from '../support/target.ts';

/** Puts Prism between the suite and a server. A header names each violation of the contract, in requests and responses. */
const withPrism = <T>(upstream: string, use: (url: string) => Promise<T>): Promise<T> =>
  using(startPrism('proxy', upstream), ({ url }) => use(url));

const violationsOf = ({ response }: Exchange): string | undefined => response?.headers['sl-violations'];

/** Whether every part of a request is meant to be valid, and the response is a success. */
function isPositive({ request: { meant, credential }, response }: Exchange): boolean {
  return response?.status === 200 && meant.body === 'valid' && meant.id === 'valid' && credential.role !== undefined;
}

/** A run with every input; but without odd path ids: Prism ends at `%ff`. */
async function runOn(baseUrl: string, { seed }: ReferenceServer, options: RunOptions = {}) {
  const exchanges: Exchange[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'exchange') exchanges.push(event.exchange);
  };
  const result = await judgeTarget(inputsFor(baseUrl, seed), { skip: ['path-id-*'], ...options, onEvent });
  return { exchanges, result };
}

/**
 * The checks that fail because of Prism: it responds to malformed JSON itself, and turns a JSON string that contains JSON into a
 * valid update. It also replaces what is not UTF-8 and passes it on, so that it is stored. The suite then searches for the
 * request that changed something.
 */
const DUE_TO_PRISM = ['body-is-string', 'body-not-utf-8', 'error-body-400'];

/** How often the state is read depends on what fails. */
function purposesOf(exchanges: readonly Exchange[]): ReadonlySet<string> {
  return new Set(exchanges.map(({ request }) => request.purpose));
}

describe('Prism as a second opinion', () => {
  it('finds nothing in the positive traffic of a complete run on the reference server', async () => {
    const without = await withServer({}, (server) => runOn(server.url, server));
    const through = await withServer({}, (server) => withPrism(server.url, (url) => runOn(url, server)));

    expect(without.result.verdict).toBe('passed');
    const failed = through.result.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(failed).toEqual(DUE_TO_PRISM);
    const positive = through.exchanges.filter(isPositive);
    const [direct, proxied] = [purposesOf(without.exchanges.filter(isPositive)), purposesOf(positive)];
    expect(direct.size).toBeGreaterThan(10);
    expect([...direct].filter((purpose) => !proxied.has(purpose))).toEqual([]);
    expect(positive.filter(violationsOf).map((each) => [each.request.purpose, violationsOf(each)])).toEqual([]);

    const invalid = through.exchanges.filter(
      ({ request }) => request.meant.body === 'invalid' && request.purpose.endsWith(' as name'),
    );
    expect(invalid.length).toBeGreaterThan(3);
    expect(invalid.filter((each) => !violationsOf(each)?.includes('name'))).toEqual([]);
  });

  it('finds a wrong member of a user, and a list of banners without banners, as the suite does', async () => {
    const options: ReferenceServerOptions = {
      replace: () => ({
        presentUser: (user) => ({ ...user, loginAttempts: 'none' }),
        presentBanners: () => ({}),
      }),
    };
    const only = ['user-login-attempts', 'banners-is-list'];
    const { exchanges, result } = await withServer(options, (server) =>
      withPrism(server.url, (url) => runOn(url, server, { only })),
    );
    expect(result.checks.map(({ id, outcome }) => [id, outcome])).toEqual(only.map((id) => [id, 'failed']).sort());
    for (const [operation, member] of [
      ['updateUser', 'loginAttempts'],
      ['listBanners', 'banners'],
    ]) {
      const found = exchanges.filter((each) => isPositive(each) && each.request.operation === operation);
      expect(found.length).toBeGreaterThan(0);
      for (const each of found) expect(violationsOf(each)).toContain(member);
    }
  });
});
