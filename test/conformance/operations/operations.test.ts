import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/checks/catalogue.ts';
import type { CheckTraffic } from '../../../conformance/model/check.ts';
import { isSafe } from '../../../conformance/http/exchange.ts';
import { keptAs, operations } from '../../../conformance/operations/index.ts';
import { resultSchema } from '../../../conformance/result/read-result.ts';
import { writableOf } from '../../../conformance/resources/inputs.ts';
import { isUpdatable, LASTING_MEMBERS } from '../../../conformance/resources/user/members.ts';
import type { Operation } from '../../../conformance/traffic/operation.ts';
import { documentedStatuses, errorStatuses, operationIds, route, schema, tagsOf } from '../../../contract/document.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** What may name operations: their own folders, with the one list of them. */
const ALLOWED = ['conformance/operations/', 'reference-server/operations/'];
/** The members of a seed file have the names of tags. */
const SEED = 'reference-server/seed.ts';

const sources = ['conformance', 'cli', 'common', 'reference-server'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`)
    .filter((path) => path !== SEED && !ALLOWED.some((allowed) => path.startsWith(allowed))),
);

/** The spellings of an operation in code: its id, the constant of its id, and its tags as texts (not as members of a type). */
function namesOf(id: (typeof operationIds)[number]): RegExp {
  const constant = id.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
  const tags = tagsOf(id).map((tag) => `(?<!\\[)'${tag}'`);
  return new RegExp([`\\b${id}\\b`, `\\b${constant}\\b`, ...tags].join('|'));
}

describe('the operations', () => {
  it.each(operationIds)('%s is named only by its own files', (id) => {
    const offenders = sources.flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (namesOf(id).test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(
      offenders,
      `Iterate over conformance/operations/index.ts, or move this to the folder of ${id} below conformance/operations/.`,
    ).toEqual([]);
  });

  it('are listed by the published schema of the result', () => {
    const { $defs } = resultSchema() as { $defs: { operation: { enum: readonly string[] } } };
    expect($defs.operation.enum).toEqual(operationIds);
  });
});

it('nothing but the rules of the model says what follows from what', () => {
  const words = /\b(restsOn|sameFaultAs|explainedBy|acceptedLike|hiddenBy|joinDeviations)\b/;
  const paths = readdirSync(join(ROOT, 'conformance'), { recursive: true, encoding: 'utf8' });
  const offenders = paths.filter(
    (path) => path.endsWith('.ts') && words.test(readFileSync(join(ROOT, 'conformance', path), 'utf8')),
  );
  expect(offenders, 'Add a rule to conformance/model/causes.ts.').toEqual([]);
});

const writes = ({ id }: Operation): boolean => !isSafe(route(id));

const idsWhere = (describes: (operation: Operation) => boolean) => operations.filter(describes).map(({ id }) => id);

it('the checks have ids of their own', () => {
  const repeated = checks.flatMap((check, index) => {
    const first = checks.findIndex(({ id }) => id === check.id);
    const owners = [checks[first], check].map((each) => each?.operations.join(', ') ?? '');
    return first === index ? [] : [`${check.id} is a check of ${owners.join(' and of ')}`];
  });
  expect(repeated, 'Give one of the two another id.').toEqual([]);
});

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const documented = errorStatuses.filter((status) => documentedStatuses(id).includes(status));
  const folder = `conformance/operations/${id.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;

  it.each(['slug', 'shown'] as const)('has a %s that no other operation has', (member) => {
    const same = idsWhere((other) => other[member] === operation[member]);
    const owners = `${same.join(' and ')} have the ${member} "${operation[member]}"`;
    expect(same, `${owners}. Ids of checks are made of it: change it in ${folder}/index.ts.`).toEqual([id]);
  });

  it('declares what its id names, if its path has one', () => {
    expect(
      route(id).path.includes('{id}') && operation.effect === undefined,
      `The request guard refuses the id: add "effect" with its resource to ${folder}/index.ts.`,
    ).toBe(false);
  });

  it('declares what it writes, and what its refused requests must not', () => {
    const { effect, updates } = operation;
    expect(
      writes(operation) && (effect?.refused === undefined || (effect.writes === undefined && updates === undefined)),
      `Nothing of what ${id} writes is judged or restored: add "writes" and "refused" to "effect" in ${folder}/index.ts.`,
    ).toBe(false);
    const unread = (effect?.writes?.members ?? []).filter(
      (member) => effect?.resource === 'user' && !isUpdatable(member) && !LASTING_MEMBERS.includes(member),
    );
    expect(unread, 'Take "x-derived" from them in openapi.yaml: what an operation writes is no more derived.').toEqual(
      [],
    );
    const subjects = effect ? writableOf(effect.resource) : [];
    expect(
      effect?.writes && effect.resource !== 'user' && subjects.every((subject) => keptAs(subject) === undefined),
      `Nothing shows what ${id} writes: add "resource" to "shows" of the operation that lists it.`,
    ).not.toBe(true);
  });

  it('has the checks of what it writes, with the modes in which they fail', () => {
    const { refused, writes: own, resource } = operation.effect ?? {};
    const wanted = own
      ? ([
          [own.stored, 'not-stored'],
          [own.kept, 'changed'],
        ] as const)
      : [];
    const lacking = wanted.filter(
      ([{ check, requirement }, mode]) =>
        !checks.some(
          ({ id: name, requirements, failureModes }) =>
            name === check && requirements.includes(requirement) && mode in failureModes,
        ),
    );
    expect(
      lacking.map(([{ check }, mode]) => `${check} with the mode ${mode}`),
      `Add these rows to "checks" in ${folder}/index.ts.`,
    ).toEqual([]);
    expect(
      refused && resource === 'user' && refused.parts.length === 0,
      `Name the members of a user that show that nothing changed in "parts" of "refused" in ${folder}/index.ts.`,
    ).not.toBe(true);
  });

  it('tries ids that are no integers, if its path has an id', () => {
    const refused = Object.keys(operation.negativeChecks ?? {});
    expect(
      route(id).path.includes('{id}') && !refused.includes('path-id'),
      `Add the checks of "pathIdChecks" to negativeChecks['path-id'] in ${folder}/index.ts.`,
    ).toBe(false);
  });

  // Without "permission", only the test below fails.
  const provoked = documented.filter((status) => status !== 403 || operation.permission !== undefined);

  it.each(provoked)('has traffic that provokes the error %i, which the contract documents', (status) => {
    const provoking: CheckTraffic | undefined = checks.find((check) => check.id === `error-name-${status}`)
      ?.byOperation?.[id];
    const own = provoking?.uses.filter((traffic) => traffic.operation === id) ?? [];
    expect(own.length, `Add a check to negativeChecks[${status}] in ${folder}/index.ts.`).toBeGreaterThan(0);
  });

  it('tries the restricted key as the contract says', () => {
    const { permission = [], restrictedProbe } = operation;
    if (documented.includes(403)) {
      expect(permission.length, `The contract documents 403: add "permission" to ${folder}/index.ts.`).toBeGreaterThan(
        0,
      );
    } else {
      expect(permission, `The contract documents no 403: remove "permission" from ${folder}/index.ts.`).toEqual([]);
      expect(
        restrictedProbe,
        `The contract leaves 403 open: add "restrictedProbe" to ${folder}/index.ts.`,
      ).toBeDefined();
    }
  });

  it('has a check for each member of the schema that it shows', () => {
    const { shows } = operation;
    const unbound = Object.entries(schema(shows.schema).properties).filter(
      ([, definition]) => ((definition['x-requirements'] ?? []) as object[]).length === 0,
    );
    expect(
      unbound.map(([member]) => member),
      `These members of ${shows.schema} in openapi.yaml need x-requirements.`,
    ).toEqual([]);
    const required = Object.entries(schema(shows.schema).properties).flatMap(([member, definition]) =>
      ((definition['x-requirements'] ?? []) as { id: string }[]).map((requirement) => ({ member, id: requirement.id })),
    );
    const unchecked = required.filter(
      (each) => !checks.some((check) => check.requirements.includes(each.id) && check.operations.includes(id)),
    );
    expect(
      unchecked,
      `What a member of ${shows.schema} requires is judged wherever it is shown: move what is said of a list to the schema of the list in openapi.yaml, or add a check to ${folder}.`,
    ).toEqual([]);
  });
});
