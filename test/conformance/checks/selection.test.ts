import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../contract/document.ts';
import { acrossOperations, type Check } from '../../../conformance/model/check.ts';
import { checks as catalogue } from '../../../conformance/checks/catalogue.ts';
import { select as planned } from '../../../conformance/run/plan.ts';
import { InvalidSelection, operationScope, selectChecks } from '../../../conformance/checks/selection.ts';
import { checkOf } from '../../support/checks.ts';
import { messageOf } from '../../support/exchanges.ts';

const check = (id: string, area: string, operation: OperationId, ...requirements: string[]): Check =>
  checkOf({ id, area, operations: [operation], requirements });

const checks: readonly Check[] = [
  check('auth-update', 'auth', 'updateUser', 'auth.key-required'),
  check('auth-list', 'auth', 'listBanners', 'auth.key-required', 'auth.key-valid'),
  check('update-name', 'partial-update', 'updateUser', 'update.sent-fields-change'),
  check('update-email', 'partial-update', 'updateUser', 'update.unsent-fields-keep'),
  check('list-shape', 'list', 'listBanners', 'banners.shape'),
];

/** Two operations of which each has a tag of its own, whatever else the contract has. */
const OPERATIONS: [OperationId, OperationId] = ['updateUser', 'listBanners'];

const select = (only: readonly string[], skip: readonly string[] = []): string[] =>
  selectChecks(checks, only, skip).map(({ id }) => id);
const refusal = (only: readonly string[], skip: readonly string[] = []): string =>
  messageOf(InvalidSelection, () => select(only, skip));

describe('selectChecks', () => {
  it('selects all checks, in their order, if nothing is picked', () =>
    expect(select([])).toEqual(checks.map(({ id }) => id)));

  it.each<[name: string, only: string[], ids: string[]]>([
    ['an id', ['update-name'], ['update-name']],
    ['an area', ['auth'], ['auth-update', 'auth-list']],
    ['a requirement', ['auth.key-valid'], ['auth-list']],
    ['an operation by its id', ['listBanners'], ['auth-list', 'list-shape']],
    ['an operation by its tag', ['banners'], ['auth-list', 'list-shape']],
    ['a glob at the end', ['update-*'], ['update-name', 'update-email']],
    ['a glob at the start', ['*-list'], ['auth-list']],
    ['a glob in the middle', ['update.*-keep'], ['update-email']],
    ['two globs in one', ['*key*'], ['auth-update', 'auth-list']],
    ['everything', ['*'], checks.map(({ id }) => id)],
    ['several, in the order of the catalogue', ['list-shape', 'update-name'], ['update-name', 'list-shape']],
  ])('takes %s', (_name, only, ids) => expect(select(only)).toEqual(ids));

  it('takes away what is skipped, also what was picked', () => {
    expect(select([], ['auth'])).toEqual(['update-name', 'update-email', 'list-shape']);
    expect(select(['users'], ['auth.*', 'update-email'])).toEqual(['update-name']);
  });

  it('selects each check once', () =>
    expect(select(['auth', 'auth-list', '*list'])).toEqual(['auth-update', 'auth-list', 'list-shape']));

  // Whole names match, and all but the star stands for itself.
  it.each([
    'uth-lis',
    'auth.list',
    'auth-(update|list)',
    '[a-z]*',
    'update-nam?',
    'UPDATE-NAME',
    'quite-something-else',
  ])('refuses the name %s, which matches nothing, also beside one that does', (name) => {
    expect(refusal([name])).toContain(`--only ${name}`);
    expect(refusal(['auth', name])).toContain(`--only ${name}`);
  });

  it('names the option and a near miss, if there is one', () => {
    expect(refusal(['update-nmae'])).toMatch(/^--only update-nmae: .*Did you mean update-name\?$/);
    expect(refusal([], ['update-emial'])).toMatch(/^--skip update-emial: .*Did you mean update-email\?$/);
    expect(refusal(['zzzzzzzzzzzz'])).not.toContain('Did you mean');
  });

  it('refuses a selection that leaves nothing', () => {
    expect(refusal(['auth'], ['auth.*'])).toMatch(/--only.*--skip/);
    expect(refusal([], ['*'])).toMatch(/--only.*--skip/);
  });

  it('finds every check of the catalogue by its id', () => {
    for (const { id } of catalogue) {
      const found = selectChecks(catalogue, [id], []).map((each) => each.id);
      expect(found).toContain(id);
    }
  });
});

const traffic = (id: string) => ({ needs: [], uses: [{ id, operation: 'updateUser', needs: [], steps: [] }] }) as const;
const both = acrossOperations(
  { updateUser: traffic('update'), listBanners: traffic('list') },
  { ...check('errors', 'errors', 'updateUser', 'errors.body') },
);
const narrowed = (only: readonly string[], skip: readonly string[] = []) =>
  selectChecks([...checks, both], only, skip)
    .filter(({ id }) => id === 'errors')
    .map(({ operations, uses }) => [operations, uses.map(({ id }) => id)]);

it('a check over several operations judges the operations that are selected, with their traffic alone', () => {
  expect(narrowed([])).toEqual([
    [
      ['updateUser', 'listBanners'],
      ['update', 'list'],
    ],
  ]);
  expect(narrowed(['listBanners'])).toEqual([[['listBanners'], ['list']]]);
  expect(narrowed([], ['listBanners'])).toEqual([[['updateUser'], ['update']]]);
  expect(narrowed(['errors'], ['users'])).toEqual([[['listBanners'], ['list']]]);
  expect(() => narrowed(['errors'], ['users', 'banners'])).toThrow(InvalidSelection);
});

const [USERS, BANNERS] = OPERATIONS;

it.each<[only: string[], skip: string[], leftOut: OperationId[], observed: OperationId[]]>([
  [[], [], [], OPERATIONS],
  [['*'], [], [], OPERATIONS],
  [['users'], [], [BANNERS], [USERS]],
  [[], ['banners'], [BANNERS], [USERS]],
  [['auth'], ['banners'], [BANNERS], []],
  [['users', 'update-name'], [], [BANNERS], [USERS]],
  [['users'], ['auth-update'], [BANNERS], [USERS]],
  [['banners'], [], [USERS], [BANNERS]],
  [[], ['users'], [USERS], [BANNERS]],
  // No operation is left out that is judged, or that nobody named; it is observed where it is judged as a whole.
  [['users', 'list-shape'], [], [], [USERS]],
  [['update-name'], [], [], []],
  [[], ['list', 'auth-list'], [], OPERATIONS],
  [[], ['update-name'], [], OPERATIONS],
])('operationScope of --only %j --skip %j leaves out %j and observes %j', (only, skip, leftOut, observed) => {
  const scope = operationScope(selectChecks(checks, only, skip), only, skip, OPERATIONS);
  expect([[...scope.leftOut], [...scope.observed]]).toEqual([leftOut, observed]);
});

it('What is due only to skipped checks is not sent for others either, and a check of nothing else is skipped with them', () => {
  const { selected, isSent } = planned({ only: [], skip: ['path-id-*'] }, false);
  const sent = selected.flatMap(({ uses }) => uses).filter(isSent);
  expect(sent.filter(({ id }) => id.startsWith('path-id'))).toEqual([]);
  expect(sent.length).toBeGreaterThan(100);
  const ids = selected.map(({ id }) => id);
  expect(ids).not.toContain('refused-path-id-changes-nothing');
  expect(ids).toContain('error-body-400');
});
