import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractDocument } from '../../contract/document.ts';
import { type JsonObject, stepsOf } from '../../common/json.ts';
import {
  accusations,
  cover,
  coverageOf,
  withExchanges,
  type CoverageRow,
  type CoveredRun,
} from '../../contract-gate/coverage/coverage.ts';
import { nameOf, obligationsOf, placeOf } from '../../contract-gate/coverage/obligations.ts';
import { toJson, toMarkdown, toPretty, type Coverage } from '../../contract-gate/coverage/report.ts';
import { allRuns, coveredRun } from '../../contract-gate/coverage/runs.ts';
import { cleanEnvironment } from '../support/cli.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
const contract = contractDocument as unknown as JsonObject;
const UPDATE = '/paths/~1api~1admin~1user-admin~1{id}/put';
const LIST = '/paths/~1api~1admin~1banners/get';
const USER = '/components/schemas/createUserResponseSchema/properties';

let runs: readonly CoveredRun[] = [];
let rows: readonly CoverageRow[] = [];

beforeAll(async () => {
  runs = await allRuns();
  rows = coverageOf(contract, runs);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The contract with a value put where a JSON pointer leads to. */
function planted(pointer: string, value: unknown): JsonObject {
  const copy = structuredClone(contract);
  const names = stepsOf(pointer);
  const last = names.pop() ?? '';
  const parent = names.reduce<unknown>((node, name) => (node as JsonObject)[name], copy) as Record<string, unknown>;
  if (Array.isArray(parent) && last === '-') parent.push(value);
  else parent[last] = value;
  return copy;
}

function named(found: readonly CoverageRow[]): string[] {
  return found.flatMap(({ kind, place, name, pointer, holes }) =>
    holes.map((hole) => `${[kind, place, name].filter((part) => part !== '').join(' ')} at ${pointer}: ${hole}`),
  );
}

const ofContract = new Set(obligationsOf(contract).map((each) => JSON.stringify(each)));

/** The holes in what a document has otherwise than the contract, which has none. */
function holesBeside(document: JsonObject, of: readonly CoveredRun[] = runs): string[] {
  const others = obligationsOf(document).filter((each) => !ofContract.has(JSON.stringify(each)));
  expect(others).not.toEqual([]);
  return named(cover(others, of));
}

const text = { type: 'string' };
const json = (schema: unknown): JsonObject => ({ content: { 'application/json': { schema } } });

describe('the coverage of the contract', () => {
  it('has no hole', () => {
    expect(named(rows)).toEqual([]);
  });

  it('rests on servers that no check accuses', () => {
    expect(accusations(runs)).toEqual([]);
  });

  it('asks for every property of an answer, of each status, and for every requirement', () => {
    const { schemas } = contractDocument.components;
    const shown = rows.filter(
      ({ kind, place }) => kind === 'response-property' && place === 'updateUser 200 application/json',
    );
    expect(shown.map(({ name }) => name)).toEqual([
      '(the body)',
      ...Object.keys(schemas.createUserResponseSchema.properties).flatMap((name) =>
        name === 'permissions' ? [name, 'permissions[]'] : [name],
      ),
    ]);
    const banner = rows
      .filter(({ name }) => name.startsWith('banners[].'))
      .map(({ name }) => name.slice('banners[].'.length));
    expect(banner).toEqual(Object.keys(schemas.bannerSchema.properties));
    const errors = rows.filter(({ pointer }) => pointer === '/components/schemas/errorSchema/properties/message');
    expect(errors.map(({ place }) => place.split(' ').slice(0, 2).join(' '))).toEqual([
      'updateUser 400',
      'updateUser 401',
      'updateUser 403',
      'updateUser 404',
      'listBanners 401',
    ]);
  });

  it('asks the check of a member first whether it notices', () => {
    const row = rows.find(({ name }) => name === 'seenAt');
    expect(row).toMatchObject({
      noticedBy: 'user-seen-at',
      seen: { string: 'reference server', null: 'reference server' },
    });
  });
});

const plants: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  [
    'a property of a user',
    planted(`${USER}/nickname`, text),
    [`response-property updateUser 200 application/json nickname at ${USER}/nickname: no run shows it as string`],
  ],
  [
    'a property of an object in a user',
    planted(`${USER}/rootRole/properties`, { grade: { type: 'integer' } }),
    [
      `response-property updateUser 200 application/json rootRole.grade at ${USER}/rootRole/properties/grade: no run shows it as integer`,
    ],
  ],
  [
    'a type of a property',
    planted(`${USER}/email/type`, ['string', 'null']),
    [`response-property updateUser 200 application/json email at ${USER}/email: no run shows it as null`],
  ],
  [
    'a property of the errors',
    planted('/components/schemas/errorSchema/properties/help', text),
    ['400', '401', '403', '404']
      .map((status) => `updateUser ${status}`)
      .concat('listBanners 401')
      .map(
        (place) =>
          `response-property ${place} application/json help at /components/schemas/errorSchema/properties/help: no run shows it as string`,
      ),
  ],
  [
    'a property of the request',
    planted('/components/schemas/updateUserSchema/properties/locale', text),
    [
      'request-property updateUser application/json locale at /components/schemas/updateUserSchema/properties/locale: no run shows it as string',
    ],
  ],
  [
    'a property in one of several schemas',
    planted('/components/schemas/bannerSchema/allOf', [{ properties: { colour: text } }]),
    [
      'response-property listBanners 200 application/json banners[].colour at /components/schemas/bannerSchema/allOf/0/properties/colour: no run shows it as string',
    ],
  ],
  [
    'a status',
    planted(`${UPDATE}/responses/409`, { description: 'Taken' }),
    [`status updateUser 409 at ${UPDATE}/responses/409: no run shows it`],
  ],
  [
    'a media type of an answer',
    planted(`${LIST}/responses/200/content/text~1csv`, { schema: text }),
    [
      `response-media-type listBanners 200 text/csv at ${LIST}/responses/200/content/text~1csv: no run shows it`,
      `response-property listBanners 200 text/csv (the body) at ${LIST}/responses/200/content/text~1csv/schema: no run shows it as string`,
    ],
  ],
  [
    'a media type of a request',
    planted(`${UPDATE}/requestBody/content/application~1merge-patch+json`, {}),
    [
      `request-media-type updateUser application/merge-patch+json at ${UPDATE}/requestBody/content/application~1merge-patch+json: no run shows it`,
      `request-property updateUser application/merge-patch+json (the body) at ${UPDATE}/requestBody/content/application~1merge-patch+json/schema: no run shows it`,
    ],
  ],
  [
    'a header of an answer',
    planted(`${LIST}/responses/200/headers`, { ETag: { schema: text } }),
    [`response-header listBanners 200 ETag at ${LIST}/responses/200/headers/ETag: no run shows it`],
  ],
  [
    'a parameter',
    planted(`${LIST}/parameters`, [{ name: 'limit', in: 'query', schema: { type: 'integer' } }]),
    [`parameter listBanners limit at ${LIST}/parameters/0: no run shows it as integer`],
  ],
  [
    'another header for the key',
    planted('/components/securitySchemes/apiKey/name', 'X-Api-Key'),
    ['updateUser', 'listBanners'].map(
      (operation) => `security ${operation} apiKey at /components/securitySchemes/apiKey: no run shows it as sent`,
    ),
  ],
  [
    'an operation',
    planted('/paths/~1api~1admin~1banners/delete', { operationId: 'clear', security: [], responses: { 204: {} } }),
    [
      'operation clear at /paths/~1api~1admin~1banners/delete: no run shows it',
      'status clear 204 at /paths/~1api~1admin~1banners/delete/responses/204: no run shows it',
    ],
  ],
  [
    'a requirement',
    planted(`${LIST}/x-requirements/-`, { id: 'banners.sorted', level: 'must', text: 'Sorted.', source: 'none' }),
    [`requirement banners.sorted at ${LIST}: no check that judges it passed in any run`],
  ],
];

describe('a hole is named with its place where the contract has', () => {
  it.each(plants)('%s that nobody exercises', (_what, document, expected) => {
    expect(holesBeside(document)).toEqual(expected);
  });

  it('a member that is shown, and that no check looks at', async () => {
    const extra = await coveredRun('banners-with-extra-members');
    const at = '/components/schemas/bannerSchema/properties/ID';
    expect(holesBeside(planted(at, text), [...runs, extra])).toEqual([
      `response-property listBanners 200 application/json banners[].ID at ${at}: no check fails if it is wrong`,
    ]);
  });
});

describe('a hole is named where checks are left out', () => {
  it('of one member', async () => {
    expect(named(coverageOf(contract, [await coveredRun(undefined, { skip: ['user-invite-link'] })]))).toEqual(
      expect.arrayContaining([
        `response-property updateUser 200 application/json inviteLink at ${USER}/inviteLink: no check fails if it is wrong`,
        `requirement user.invite-link at ${USER}/inviteLink: no check that judges it passed in any run`,
      ]),
    );
  });

  it('of one operation', async () => {
    const found = named(coverageOf(contract, [await coveredRun(undefined, { only: ['users'] })]));
    expect(found).toContain(`requirement banners.stable at ${LIST}: no check that judges it passed in any run`);
    expect(found.filter((hole) => hole.includes(' updateUser 4'))).toEqual([]);
  });

  it('altogether, on one server alone', async () => {
    expect(named(coverageOf(contract, [await coveredRun(undefined)]))).toEqual([
      'request-property updateUser application/json rootRole at /components/schemas/updateUserSchema/properties/rootRole: no run shows it as object',
      `response-property updateUser 200 application/json name at ${USER}/name: no run shows it as null`,
      `response-property updateUser 200 application/json username at ${USER}/username: no run shows it as null`,
      `response-property updateUser 200 application/json rootRole at ${USER}/rootRole: no run shows it as object`,
    ]);
  });
});

describe('what has to be exercised', () => {
  const document: JsonObject = {
    paths: {
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', schema: text }, { $ref: '#/components/parameters/trace' }],
        get: {
          parameters: [{ name: 'id', in: 'path', schema: { type: 'integer' } }],
          responses: { 200: json({ $ref: '#/components/schemas/tree' }), '4XX': {}, default: {} },
        },
        post: {
          requestBody: json({ properties: { made: { readOnly: true }, secret: { writeOnly: true } } }),
          responses: { 201: json({ properties: { made: {}, secret: { writeOnly: true } } }) },
        },
      },
    },
    components: {
      parameters: { trace: { name: 'X-Trace', in: 'header' } },
      schemas: { tree: { type: 'object', properties: { children: { items: { $ref: '#/components/schemas/tree' } } } } },
    },
  };
  const all = obligationsOf(document).map((each) =>
    [each.kind, placeOf(each), nameOf(each), each.facets.join('|')].join(' '),
  );

  it('follows references, and ends in schemas that hold themselves', () => {
    expect(all).toContain('parameter GET /things/{id} X-Trace seen');
    expect(all.filter((each) => each.startsWith('response-property GET'))).toEqual([
      'response-property GET /things/{id} 200 application/json (the body) object',
      'response-property GET /things/{id} 200 application/json children seen',
    ]);
  });

  it('takes an operation’s parameter for the path’s of the same name', () => {
    expect(all.filter((each) => each.startsWith('parameter GET /things/{id} id'))).toEqual([
      'parameter GET /things/{id} id integer',
    ]);
  });

  it('is not sent what is read only, and not shown what is write only', () => {
    expect(all.filter((each) => /POST.* (made|secret) /.test(each))).toEqual([
      'request-property POST /things/{id} application/json secret seen',
      'response-property POST /things/{id} 201 application/json made seen',
    ]);
  });

  it('cannot be read where a reference leads nowhere', () => {
    const broken = { paths: { '/a': { $ref: '#/nowhere' } } };
    expect(() => obligationsOf(broken)).toThrow('/paths/~1a: the reference #/nowhere leads nowhere.');
  });
});

describe('evidence with exchanges replaced', () => {
  it('has none of the old ones, and leaves the old evidence as it was', () => {
    const [run] = runs;
    if (!run) throw new Error('There was no run.');
    const marked = withExchanges(run.evidence, (exchange) => ({ ...exchange, pauses: 77 }));
    const { exchanges, probes, scenarios, batches } = marked;
    const texts = JSON.stringify([exchanges, [...probes], [...scenarios], batches, marked.history('user')]);
    expect(texts).toContain('"pauses":77');
    expect(texts).not.toContain('"pauses":0');
    expect(run.evidence.exchanges.every(({ pauses }) => pauses === 0)).toBe(true);
    expect(marked.history('user')).toHaveLength(run.evidence.history('user').length);
  });
});

describe('the reports', () => {
  const coverageWith = (own: readonly CoverageRow[]): Coverage => ({
    contract: { title: 'Some API', version: '1.0.0' },
    servers: ['one'],
    rows: own,
  });

  it('say where a hole is, in each format', () => {
    const coverage = coverageWith(coverageOf(planted(`${USER}/nickname`, text), runs));
    expect(toPretty(coverage)).toContain(`\n    ${USER}/nickname\n`);
    expect(toPretty(coverage)).toContain('1 of 152 are not exercised.');
    expect(toMarkdown(coverage)).toContain(`- \`${USER}/nickname\` (response-property`);
    const { holes } = JSON.parse(toJson(coverage)) as { holes: { pointer: string }[] };
    expect(holes.map(({ pointer }) => pointer)).toEqual([`${USER}/nickname`]);
  });

  it('say so where there is none', () => {
    expect(toPretty(coverageWith(rows))).toContain('All 151 are exercised.');
    expect(toMarkdown(coverageWith(rows))).toContain('## Holes\n\nNone.\n');
  });
});

function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const main = join(root, 'dist/contract-gate/coverage/main.js');
    execFile(process.execPath, [main, ...args], { env: cleanEnvironment() }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe('npm run coverage:contract', () => {
  it('ends with 0 where everything is exercised', async () => {
    expect(await command()).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends with 1 where something is not', async () => {
    const file = join(folder, 'planted.json');
    writeFileSync(file, JSON.stringify(planted(`${USER}/nickname`, text)));
    const { code, stdout } = await command('--document', file, '--format', 'json');
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as { holes: unknown[] }).holes).toHaveLength(1);
  });

  it.each([
    ['an unknown option', ['--fromat', 'json'], '--format'],
    ['an unknown format', ['--format', 'html'], 'pretty, json, markdown'],
    ['a file that is not there', ['--document', 'nowhere.yaml'], 'nowhere.yaml'],
    ['a file that is no document', ['--document', join(root, 'package.json')], 'no OpenAPI document'],
  ])('ends with 2 and one line for %s', async (_what, args, named) => {
    const { code, stdout, stderr } = await command(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(named);
  });
});
