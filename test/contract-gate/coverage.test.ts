import { beforeAll, describe, expect, it } from 'vitest';
import { contractDocument, operationIds, responseSchemaOf } from '../../contract/document.ts';
import { atPointer, type JsonObject, stepsOf } from '../../common/json.ts';
import {
  allRuns,
  cover,
  coveredRun,
  type CoverageRow,
  type CoveredRun,
} from '../../contract-gate/coverage/coverage.ts';
import { partsOf, type Part } from '../../contract-gate/coverage/parts.ts';
import { describeText } from '../../openapi-judge/src/index.ts';
import { tool } from '../support/cli.ts';
import { casesBeside } from '../support/data.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const contract = contractDocument as unknown as JsonObject;
const LIST = '/paths/~1api~1admin~1banners/get';
const USER = '/components/schemas/createUserResponseSchema/properties';

const partsIn = (document: JsonObject): Part[] => partsOf(describeText('head', JSON.stringify(document), 'a document'));

let runs: readonly CoveredRun[] = [];
let rows: readonly CoverageRow[] = [];

beforeAll(async () => {
  runs = await allRuns();
  rows = cover(partsIn(contract), runs);
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

const keyOf = (document: JsonObject) => (each: Part) => JSON.stringify([each, atPointer(document, each.pointer)]);
const ofContract = new Set(partsIn(contract).map(keyOf(contract)));

/** The holes in what a document has and the contract, which has none, has not. */
function holesBeside(document: JsonObject, of: readonly CoveredRun[] = runs): string[] {
  const others = partsIn(document).filter((each) => !ofContract.has(keyOf(document)(each)));
  expect(others).not.toEqual([]);
  return named(cover(others, of));
}

const text = { type: 'string' };

describe('the coverage of the contract', () => {
  it('has no hole', () => expect(named(rows)).toEqual([]));

  it('asks the check of a member first whether it notices', () => {
    const row = rows.find(({ name }) => name === 'seenAt');
    expect(row).toMatchObject({
      noticedBy: 'user-seen-at',
      seen: { string: expect.any(String) as string, null: expect.any(String) as string },
    });
  });
});

const plants = casesBeside(import.meta.url) as readonly {
  readonly at: string;
  readonly value: JsonObject;
  readonly holes: readonly { readonly part: string; readonly as?: string; readonly below?: string }[];
}[];

/** The places in which the contract shows the component that a pointer leads into, each with what stands before its members there. */
function placesOf(at: string, kind: string): string[] {
  if (kind === 'security') return operationIds.map((id) => `${id} `);
  const component = at.split('/').slice(0, 4).join('/');
  const own = rows.flatMap(({ place, name, pointer, ...row }) => {
    const [, member] = row.kind === kind ? pointer.split(`${component}/properties/`) : [];
    return member !== undefined && name.endsWith(member) ? [`${place} ${name.slice(0, -member.length)}`] : [];
  });
  return [...new Set(own)];
}

describe('a hole is named with its place where the contract has', () => {
  it.each(plants)('$what that nobody exercises', ({ at, value, holes }) => {
    const lines = holes.flatMap(({ part, as, below = '' }) => {
      const [kind = ''] = part.split(' ');
      const parts = part.includes('* ') ? placesOf(at, kind).map((place) => part.replace('* ', place)) : [part];
      return parts.map((each) => `${each} at ${at}${below}: no run shows it${as === undefined ? '' : ` as ${as}`}`);
    });
    expect(holesBeside(planted(at, value)).sort()).toEqual(lines.sort());
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
    expect(holesBeside(planted(at, text), [...runs, extra])).toEqual(
      placesOf(at, 'response-property').map(
        (place) => `response-property ${place}ID at ${at}: no check fails if it is wrong`,
      ),
    );
  });
});

describe('the types of a property', () => {
  const shown = (place: string, facets: readonly string[]): Part => ({
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

it('a hole is named where a check is left out', async () => {
  expect(named(cover(partsIn(contract), [await coveredRun(undefined, { skip: ['user-invite-link'] })]))).toEqual(
    expect.arrayContaining([
      `response-property updateUser 200 application/json inviteLink at ${USER}/inviteLink: no check fails if it is wrong`,
      `requirement user.invite-link at ${USER}/inviteLink: no check that judges it passed in any run`,
    ]),
  );
});

describe('what has to be exercised', () => {
  const document: JsonObject = {
    openapi: '3.1.0',
    paths: {
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', schema: text }, { $ref: '#/components/parameters/trace' }],
        get: {
          parameters: [{ name: 'id', in: 'path', schema: { type: 'integer' } }],
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/tree' } } } },
          },
        },
      },
    },
    components: {
      parameters: { trace: { name: 'X-Trace', in: 'header' } },
      schemas: { tree: { type: 'object', properties: { children: { items: { $ref: '#/components/schemas/tree' } } } } },
    },
  };
  const all = partsIn(document).map(({ kind, place, name, facets }) => [kind, place, name, facets.join('|')].join(' '));

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
});

it('npm run coverage:contract ends with 1 where something is not exercised, and says where', async () => {
  folder.write('openapi.yaml', JSON.stringify(planted(`${USER}/nickname`, text)));
  const { code, stdout } = await tool('contract-gate/coverage/main.ts', [], { folder: folder.path });
  expect(code).toBe(1);
  const { length } = operationIds.filter((id) => responseSchemaOf(id) === 'createUserResponseSchema');
  expect(stdout).toContain(`\n    ${USER}/nickname\n`);
  expect(stdout).toContain(`\n${length} of ${rows.length + length} are not exercised.\n`);
});
