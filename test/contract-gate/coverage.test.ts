import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { contractDocument, documentedStatuses, operationIds, responseSchemaOf } from '../../contract/document.ts';
import { atPointer, type JsonObject, stepsOf } from '../../common/json.ts';
import { cover, coverageOf, type CoverageRow, type CoveredRun } from '../../contract-gate/coverage/coverage.ts';
import { obligationsOf, type Obligation } from '../../contract-gate/coverage/obligations.ts';
import { allRuns, coveredRun } from '../../contract-gate/coverage/runs.ts';
import { expectUsageError, tool, type CliResult } from '../support/cli.ts';
import { casesBeside } from '../support/data.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ROOT } from '../support/repository.ts';

const folder = temporaryFolder();
const contract = contractDocument as unknown as JsonObject;
const LIST = '/paths/~1api~1admin~1banners/get';
const USER = '/components/schemas/createUserResponseSchema/properties';

const showingUser = operationIds.filter((id) => responseSchemaOf(id) === 'createUserResponseSchema');

let runs: readonly CoveredRun[] = [];
let rows: readonly CoverageRow[] = [];

beforeAll(async () => {
  runs = await allRuns();
  rows = coverageOf(contract, runs);
});

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

const keyOf = (document: JsonObject) => (each: Obligation) => JSON.stringify([each, atPointer(document, each.pointer)]);
const ofContract = new Set(obligationsOf(contract).map(keyOf(contract)));

/** The holes in what a document has and the contract, which has none, has not. */
function holesBeside(document: JsonObject, of: readonly CoveredRun[] = runs): string[] {
  const others = obligationsOf(document).filter((each) => !ofContract.has(keyOf(document)(each)));
  expect(others).not.toEqual([]);
  return named(cover(others, of));
}

const text = { type: 'string' };
const json = (schema: unknown): JsonObject => ({ content: { 'application/json': { schema } } });

describe('the coverage of the contract', () => {
  it('has no hole', () => {
    expect(named(rows)).toEqual([]);
  });

  it('asks for every property of a response, of each status, and for every requirement', () => {
    const { schemas } = contractDocument.components;
    for (const operation of showingUser) {
      const shown = rows.filter(
        ({ kind, place }) => kind === 'response-property' && place === `${operation} 200 application/json`,
      );
      expect(shown.map(({ name }) => name)).toEqual([
        '(the body)',
        ...Object.keys(schemas.createUserResponseSchema.properties).flatMap((name) =>
          name === 'permissions' ? [name, 'permissions[]'] : [name],
        ),
      ]);
    }
    const banner = rows
      .filter(({ name }) => name.startsWith('banners[].'))
      .map(({ name }) => name.slice('banners[].'.length));
    expect([...new Set(banner)]).toEqual(Object.keys(schemas.bannerSchema.properties));
    const errors = rows.filter(({ pointer }) => pointer === '/components/schemas/errorSchema/properties/message');
    expect(errors.map(({ place }) => place.split(' ').slice(0, 2).join(' '))).toEqual(
      operationIds.flatMap((operation) =>
        documentedStatuses(operation)
          .filter((status) => status >= 400)
          .map((status) => `${operation} ${status}`),
      ),
    );
  });

  it('asks the check of a member first whether it notices', () => {
    const row = rows.find(({ name }) => name === 'seenAt');
    expect(row).toMatchObject({
      noticedBy: 'user-seen-at',
      seen: { string: 'reference server', null: 'reference server' },
    });
  });
});

const plants = casesBeside(import.meta.url) as readonly {
  readonly at: string;
  readonly value: JsonObject;
  readonly holes: readonly { readonly part: string; readonly as?: string; readonly below?: string }[];
}[];

/** The places in which the contract shows the component that a pointer leads into. */
function placesOf(at: string, kind: string): string[] {
  const component = at.split('/').slice(0, 4).join('/');
  const own = rows.filter((row) => row.kind === kind && `${row.pointer}/`.startsWith(`${component}/`));
  return [...new Set(kind === 'security' ? operationIds : own.map(({ place }) => place))];
}

describe('a hole is named with its place where the contract has', () => {
  it.each(plants)('$what that nobody exercises', ({ at, value, holes }) => {
    const lines = holes.flatMap(({ part, as, below = '' }) => {
      const [kind = ''] = part.split(' ');
      const parts = part.includes('*') ? placesOf(at, kind).map((place) => part.replace('*', place)) : [part];
      return parts.map((each) => `${each} at ${at}${below}: no run shows it${as === undefined ? '' : ` as ${as}`}`);
    });
    expect(holesBeside(planted(at, value))).toEqual(lines);
  });

  it('a requirement that nobody exercises', () => {
    const requirement = { id: 'banners.sorted', level: 'must', text: 'Sorted.', source: 'none' };
    expect(holesBeside(planted(`${LIST}/x-requirements/-`, requirement))).toEqual([
      `requirement banners.sorted at ${LIST}: no check that judges it passed in any run`,
    ]);
  });

  it('a member that is shown, and that no check looks at', async () => {
    const extra = await coveredRun('banners-with-extra-members');
    const at = '/components/schemas/bannerSchema/properties/ID';
    expect(holesBeside(planted(at, text), [...runs, extra])).toEqual([
      `response-property listBanners 200 application/json banners[].ID at ${at}: no check fails if it is wrong`,
    ]);
  });
});

describe('the types of a property', () => {
  const shown = (place: string, facets: readonly string[]): Obligation => ({
    kind: 'response-property',
    pointer: '/components/schemas/user/properties/name',
    place,
    name: 'name',
    facets: ['string', 'null'],
    look: { facetsIn: ({ request }) => (request.operation === place ? facets : []), wrong: undefined },
  });
  const [update, list] = ['updateUser', 'listBanners'];

  it('need to be seen in one of the places that show its schema', () => {
    const found = cover([shown(update, ['string', 'null']), shown(list, ['string'])], runs);
    expect(named(found)).toEqual([]);
  });

  it('do not stand for a place that does not show it', () => {
    const found = cover([shown(update, ['string', 'null']), shown(list, [])], runs);
    expect(found.map(({ holes }) => holes)).toEqual([[], ['no run shows it as string', 'no run shows it as null']]);
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
  const all = obligationsOf(document).map(({ kind, place, name, facets }) =>
    [kind, place, name, facets.join('|')].join(' '),
  );

  it('follows references, and ends in schemas that contain themselves', () => {
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

  it('leaves read-only members out of requests and write-only members out of responses', () => {
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

const command = (...args: string[]): Promise<CliResult> => tool('contract-gate/coverage/main.ts', args);

describe('npm run coverage:contract', () => {
  it('ends with 1 where something is not, and says where', async () => {
    const file = folder.write('planted.json', JSON.stringify(planted(`${USER}/nickname`, text)));
    const { code, stdout } = await command('--document', file);
    expect(code).toBe(1);
    const { length } = showingUser;
    expect(stdout).toContain(`\n    ${USER}/nickname\n`);
    expect(stdout).toContain(`\n${length} of ${rows.length + length} are not exercised.\n`);
  });

  it.each([
    ['an unknown option', ['--documnt', 'x'], '--document'],
    ['a file that is not there', ['--document', 'nowhere.yaml'], 'nowhere.yaml'],
    ['a file that is no document', ['--document', join(ROOT, 'package.json')], 'not an OpenAPI document'],
  ])('ends with 2 and one line for %s', async (_what, args, named) => {
    expectUsageError(await command(...args), named);
  });
});
