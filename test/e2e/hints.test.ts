import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/result/result.ts';
import { Refused } from '../../reference-server/rules.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli } from '../support/cli.ts';
import { freePort } from '../support/ports.ts';
import { environmentFor, withServer } from '../support/target.ts';

const KEY = 'Kt7-admin-key-of-these-tests';
const environment = {
  CONFORMANCE_ADMIN_KEY: KEY,
  CONFORMANCE_RESTRICTED_KEY: 'Kt7-restricted-key',
  CONFORMANCE_USER_ID: '1',
  CONFORMANCE_OTHER_USER_ID: '2',
  CONFORMANCE_MISSING_USER_ID: '404404',
  CONFORMANCE_ROLE_IDS: '1,2',
};

interface Judged {
  readonly result: Result;
  /** The hints as one text. */
  readonly words: string;
  readonly everything: string;
}

/** ms. No target responds later than this; the silent one gets a limit of its own. */
const TIMEOUT = '600000';

async function judged(own: Readonly<Record<string, string>>, ...args: string[]): Promise<Judged> {
  const { stdout, stderr } = await cli(['run', '--format', 'json', '--timeout', TIMEOUT, ...args], own);
  const result = JSON.parse(stdout) as Result;
  return { result, words: (result.hints ?? []).map(({ text }) => text).join(' '), everything: stdout + stderr };
}

function idsOf({ result }: Judged): string[] {
  return (result.hints ?? []).map(({ id }) => id);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

/** A server that answers all requests in one way. */
async function withListener<T>(
  listener: RequestListener,
  use: (url: string) => Promise<T>,
  make: (listener: RequestListener) => Server = createServer,
): Promise<T> {
  const server = make(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    await close(server);
  }
}

function answering(status: number, headers: Record<string, string>, body = ''): RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  };
}

function withReference<T>(
  options: ReferenceServerOptions,
  use: (environment: Record<string, string>, url: string) => Promise<T>,
): Promise<T> {
  return withServer(options, (server) => use(environmentFor(server), server.url));
}

const withAdminKey = (admin: string) => ({
  ...defaultSeed,
  keys: { admin, restricted: environment.CONFORMANCE_RESTRICTED_KEY },
});

describe('a target on which all is well', () => {
  it('gives no hint, and gets no request beside those of the checks', async () => {
    await withReference({}, async (own) => {
      const run = await judged(own);
      expect(run.result.hints).toEqual([]);
      expect(run.result.verdict).toBe('passed');
    });
  });
});

describe('the key', () => {
  it.each([
    ['both operations', [], 'GET'],
    ['one check of users', ['--only', 'update-name-stored'], 'PUT'],
  ])('that needs "Bearer" is tried so once and said so, but never used so: %s', async (_what, args, method) => {
    const seen: { key: string | undefined; line: string }[] = [];
    const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
      const { authorization } = request.headers;
      seen.push({ key: String(authorization), line: `${request.method} ${request.path}` });
      return handle(request);
    };
    await withReference({ seed: withAdminKey(`Bearer ${KEY}`), around }, async (own) => {
      const run = await judged({ ...own, CONFORMANCE_ADMIN_KEY: KEY }, ...args);
      expect(idsOf(run)[0]).toBe('bearer-needed');
      expect(run.words).toContain('set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY to "Bearer " and the key');
      expect(run.result.verdict).not.toBe('passed');
      expect(run.result.checks.filter(({ id, outcome }) => id.startsWith('update-') && outcome === 'passed')).toEqual(
        [],
      );
      const tried = seen.filter(({ key }) => key === `Bearer ${KEY}`);
      expect(tried).toHaveLength(1);
      expect(tried[0]?.line.startsWith(method)).toBe(true);
      expect(run.everything).not.toContain(KEY);
    });
  });

  it('that is wrong is not called one that needs "Bearer"', async () => {
    await withReference({}, async (own) => {
      const run = await judged({ ...own, CONFORMANCE_ADMIN_KEY: 'nobody-issued-this' });
      expect(idsOf(run)).not.toContain('bearer-needed');
      expect(run.result.verdict).toBe('inconclusive');
    });
  });

  it('with a scheme that the target does not want is told of, and is not tried otherwise', async () => {
    await withReference({ seed: withAdminKey(KEY) }, async (own) => {
      const run = await judged({ ...own, CONFORMANCE_ADMIN_KEY: `Bearer ${KEY}` });
      expect(idsOf(run)).toEqual(['key-with-scheme']);
      expect(run.everything).not.toContain(KEY);
    });
  });

  it.each([
    ['in quotes', `"${KEY}"`, 'key-quoted'],
    ['that was never filled in', '$ADMIN_KEY', 'key-placeholder'],
    ['in angle brackets', '<admin-key>', 'key-placeholder'],
    ['with the name of the header', `Authorization:${KEY}`, 'key-with-field-name'],
  ])('%s is told of when it is refused', async (_what, key, id) => {
    await withReference({ seed: withAdminKey(KEY) }, async (own) => {
      const run = await judged({ ...own, CONFORMANCE_ADMIN_KEY: key });
      expect(idsOf(run)[0]).toBe(id);
      expect(run.words).not.toContain(key);
      expect(run.everything).not.toContain(KEY);
    });
  });

  it('in quotes is no matter where the target takes it', async () => {
    await withReference({ seed: withAdminKey(`"${KEY}"`) }, async (own) => {
      expect((await judged(own)).result.hints).toEqual([]);
    });
  });

  it('that the target reads from another header is told of, since a check tried it there', async () => {
    const replace: ReferenceServerOptions['replace'] = (rules) => ({
      authenticate: (request, store) => {
        const authorization = String(request.headers['x-api-key'] ?? '');
        return rules.authenticate({ ...request, headers: { ...request.headers, authorization } }, store);
      },
    });
    await withReference({ replace }, async (own) => {
      const run = await judged(own);
      expect(idsOf(run)).toContain('key-taken-elsewhere');
      expect(run.words).toContain('the admin key in other header fields');
    });
  });

  it('is asked for with a scheme, or in a header, that the answer names', async () => {
    const headers = { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Basic realm="Admin", charset="UTF-8"' };
    const body = JSON.stringify({ id: 'e', name: 'AuthenticationRequired', message: 'Missing header X-Api-Key.' });
    await withListener(answering(401, headers, body), async (url) => {
      const run = await judged({ ...environment, CONFORMANCE_BASE_URL: url });
      expect(idsOf(run)).toEqual(['other-header-named', 'scheme-asked']);
      expect(run.words).toContain('names X-Api-Key');
      expect(run.words).toContain('asks for the scheme Basic (WWW-Authenticate)');
    });
  });

  it('of the restricted caller in the place of the admin key is told of', async () => {
    await withReference({}, async (own) => {
      const swapped = {
        ...own,
        CONFORMANCE_ADMIN_KEY: own.CONFORMANCE_RESTRICTED_KEY ?? '',
        CONFORMANCE_RESTRICTED_KEY: own.CONFORMANCE_ADMIN_KEY ?? '',
      };
      expect(idsOf(await judged(swapped))).toContain('admin-key-forbidden');
    });
  });

  it('of the restricted caller that nobody issued is told of', async () => {
    await withReference({}, async (own) => {
      const run = await judged({ ...own, CONFORMANCE_RESTRICTED_KEY: 'nobody-issued-this' });
      expect(idsOf(run)).toEqual(['restricted-key-refused']);
    });
  });

  it('of the restricted caller that may do everything is told of', async () => {
    await withReference({ replace: () => ({ authorizeUpdate: () => undefined }) }, async (own) => {
      const run = await judged(own);
      expect(idsOf(run)).toEqual(['restricted-key-permitted']);
      expect(run.result.verdict).toBe('failed');
    });
  });
});

describe('the base URL', () => {
  it.each([
    ['/api/admin', ''],
    ['/api/admin/', ''],
    ['/api', ''],
    ['/api/admin/banners', ''],
  ])('that ends in %s is told of, with the one that looks right', async (suffix) => {
    await withReference({}, async (own, url) => {
      const run = await judged({ ...own, CONFORMANCE_BASE_URL: url + suffix });
      expect(idsOf(run)).toEqual(['base-url-suffix']);
      expect(run.words).toContain(`the base URL should be ${url}.`);
    });
  });

  it('of another place is told of', async () => {
    await withReference({}, async (own, url) => {
      expect(idsOf(await judged({ ...own, CONFORMANCE_BASE_URL: `${url}/v2` }))).toEqual(['nothing-there']);
    });
  });

  it.each([
    ['<!doctype html><title>App</title><div id="root"></div>', 'html-page'],
    ['<html><form><input type="password" name="p"></form></html>', 'login-page'],
  ])('of a server of pages is told of: %s', async (page, id) => {
    await withListener(answering(200, { 'Content-Type': 'text/html' }, page), async (url) => {
      expect(idsOf(await judged({ ...environment, CONFORMANCE_BASE_URL: url }))).toEqual([id]);
    });
  });

  const redirecting =
    (status: number, to: (path: string, host: string) => string): RequestListener =>
    (request, response) => {
      request.resume();
      response.writeHead(status, { Location: to(request.url ?? '', request.headers.host ?? '') }).end();
    };

  it.each<[string, number, (path: string, host: string) => string, string, RegExp]>([
    ['with a slash behind', 308, (path) => `${path}/`, 'redirect-slash', /with a slash at its end/],
    ['to https', 301, (path, host) => `https://${host}${path}`, 'redirect-https', /give https:\/\/127.* as base URL/],
    ['to a login', 302, (path) => `/login?next=${path}`, 'redirect-login', /looks like a login/],
    [
      'elsewhere',
      307,
      (path) => `http://127.0.0.1:1/v2${path}`,
      'redirect-elsewhere',
      /is http:\/\/127.0.0.1:1\/v2 the base/,
    ],
    ['to a start page', 302, () => '/?secret=1', 'redirect-elsewhere', /redirect to http:\/\/127.0.0.1:\d+\/\./],
  ])('that redirects %s is told of, and the redirect is not followed', async (_what, status, to, id, says) => {
    await withListener(redirecting(status, to), async (url) => {
      const run = await judged({ ...environment, CONFORMANCE_BASE_URL: url });
      expect(idsOf(run)).toEqual([id]);
      expect(run.words).toMatch(says);
    });
  });

  it('of a port that nothing listens on is told of', async () => {
    const port = await freePort();
    const run = await judged({ ...environment, CONFORMANCE_BASE_URL: `http://127.0.0.1:${port}` });
    expect(idsOf(run)).toEqual(['connection-refused']);
    expect(run.words).toContain(`Nothing listens on 127.0.0.1, port ${port}.`);
  });

  it('with https where plain HTTP is spoken is told of', async () => {
    await withReference({}, async (own, url) => {
      const run = await judged({ ...own, CONFORMANCE_BASE_URL: url.replace('http:', 'https:') });
      expect(idsOf(run)).toEqual(['tls-unexpected']);
      expect(run.words).toContain(`Write ${url} in the base URL.`);
    });
  });

  it('with http where TLS is spoken is told of', async () => {
    const make = (listener: RequestListener): Server => createTlsServer({}, listener);
    await withListener(
      () => undefined,
      async (url) => {
        const run = await judged({ ...environment, CONFORMANCE_BASE_URL: url });
        expect(idsOf(run)).toEqual(['tls-expected']);
        expect(run.words).toContain(`try ${url.replace('http:', 'https:')}`);
      },
      make,
    );
  });

  it.each([502, 504])('of a proxy without a service behind it is told of: %i', async (status) => {
    await withListener(answering(status, { 'Content-Type': 'text/html' }, '<html>Bad Gateway</html>'), async (url) => {
      expect(idsOf(await judged({ ...environment, CONFORMANCE_BASE_URL: url }))).toEqual(['gateway']);
    });
  });

  it('of a server that never answers is told of', async () => {
    await withListener(
      () => undefined,
      async (url) => {
        const run = await judged({ ...environment, CONFORMANCE_BASE_URL: url }, '--timeout', '300');
        expect(idsOf(run)).toEqual(['silence']);
        expect(run.words).toContain('within 300 ms');
      },
    );
  });
});

describe('ids', () => {
  it.each([
    ['CONFORMANCE_USER_ID', '4711', 'user-not-found', 'there is no user 4711'],
    ['CONFORMANCE_OTHER_USER_ID', '4712', 'other-user-not-found', 'there is no user 4712'],
    ['CONFORMANCE_MISSING_USER_ID', '3', 'missing-user-exists', 'the user 3, who should be missing'],
  ])('%s that is wrong is told of', async (variable, value, id, says) => {
    const users = [...defaultSeed.users.slice(0, 2), { id: 3, name: 'Grace', email: 'grace@example.com' }];
    await withReference({ seed: { ...defaultSeed, users } }, async (own) => {
      const run = await judged({ ...own, [variable]: value });
      expect(idsOf(run)).toEqual([id]);
      expect(run.words).toContain(says);
      expect(run.words).toContain(variable);
    });
  });

  it('of roles that the target does not take are told of', async () => {
    const replace: ReferenceServerOptions['replace'] = (rules) => ({
      validateUpdate: (value) => {
        const update = rules.validateUpdate(value);
        if (update.rootRole !== undefined && ![7, 8].includes(Number(update.rootRole))) {
          throw new Refused(400, 'rootRole is unknown.');
        }
        return update;
      },
    });
    await withReference({ replace }, async (own) => {
      const run = await judged(own);
      expect(idsOf(run)).toEqual(['roles-refused']);
      expect(run.words).toContain('[1,2]');
    });
  });
});

describe('the report for people', () => {
  it('has the hint right under the verdict, within the width', async () => {
    await withReference({}, async (own, url) => {
      const { stdout } = await cli(['run'], { ...own, CONFORMANCE_BASE_URL: `${url}/api/admin` });
      const lines = stdout.split('\n');
      expect(lines[0]).toContain('INCONCLUSIVE');
      expect(lines[2]).toMatch(/^ {2}hint {10}The base URL ends in \/api\/admin/);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    });
  });
});

describe('plan', () => {
  it('shows the request that is sent only if the key is refused', async () => {
    await withReference({}, async (own, url) => {
      const { conditional } = JSON.parse((await cli(['plan', '--format', 'json'], own)).stdout) as {
        conditional: { method: string; url: string; credential: string; when: string; writes: boolean }[];
      };
      expect(conditional).toEqual([
        expect.objectContaining({
          method: 'GET',
          url: `${url}/api/admin/banners`,
          credential: 'the admin key after "Bearer"',
          when: 'the admin key is refused with 401 each time',
          writes: false,
        }),
      ]);
      expect((await cli(['plan', '--only', 'update-name-stored'], own)).stdout).toMatch(
        /Only if the admin key is refused[^]*PUT/,
      );
    });
  });
});
