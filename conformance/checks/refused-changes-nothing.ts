import { documentedStatuses, route } from '../../contract/document.ts';
import { isSafe } from '../http/exchange.ts';
import type { Check } from '../model/check.ts';
import { isProbe, type Probe } from '../model/recording/items.ts';
import { operations } from '../operations/index.ts';
import type { Effect } from '../resources/effect.ts';
import type { Operation } from '../traffic/operation.ts';
import { authenticationChecks } from './authentication.ts';
import { permissionChecks } from './permission.ts';

function modesOf(resource: string): Check['failureModes'] {
  const refused = 'A request that was refused changed';
  const fix = 'Validate everything before storing anything.';
  return {
    [`changed-${resource}`]: `${refused} the ${resource} that it addressed. ${fix}`,
    [`other-${resource}-changed`]: `${refused} a ${resource} that it did not address. ${fix}`,
  };
}

/** The inputs that every probe of a group needs: with these, at least one can be sent. */
function commonNeeds(probes: readonly Probe[]): Probe['needs'] {
  const [first, ...rest] = probes;
  return (first?.needs ?? []).filter((name) => rest.every(({ needs }) => needs.includes(name)));
}

/** A group of refusals: the check that they change nothing, and the items of the traffic that it judges. */
function groupOf(
  { id: operation, slug, control, updates }: Operation,
  { resource, refused }: Effect,
  group: string,
  title: string,
  checks: readonly Check[],
): Check {
  const probes = [...new Set(checks.flatMap(({ uses }) => uses.filter(isProbe)))].filter(
    (probe) => probe.operation === operation && probe !== control.traffic,
  );
  return {
    id: `refused-${updates ? '' : `${slug}-`}${group}-changes-nothing`,
    area: 'refusals',
    level: 'must',
    requirements: refused ? [refused.requirement] : [],
    title,
    ...(refused && refused.parts.length > 0 && { parts: refused.parts }),
    operations: [operation],
    needs: [...new Set([...control.traffic.needs, ...commonNeeds(probes)])],
    uses: probes,
    failureModes: modesOf(resource),
  };
}

function groupsOf(operation: Operation): Check[] {
  const { effect } = operation;
  if (!effect) return [];
  const { resource } = effect;
  const [{ what }] = operation.validRequests;
  const authentication = [...authenticationChecks, ...operation.checks].filter(({ area }) => area === 'auth');
  const byStatus: readonly (readonly [number, readonly Check[]])[] = [
    [401, authentication],
    [403, permissionChecks],
  ];
  const groups = Object.entries(operation.negativeChecks ?? {});
  const all = [
    ...byStatus
      .filter(([status]) => documentedStatuses(operation.id).includes(status))
      .map(([status, checks]) =>
        groupOf(
          operation,
          effect,
          String(status),
          `${what} that is refused with ${status} changes no ${resource}`,
          checks,
        ),
      ),
    ...groups.map(([group, given]) =>
      groupOf(operation, effect, group, `${given.what} change no ${resource}`, given.checks),
    ),
  ];
  // Refusals are sent together, so a change may be blamed on the wrong one.
  const alongside = all.flatMap(({ uses }) => uses);
  return all.map((check) => ({ ...check, alongside }));
}

/** What no refused request of an operation that writes may do. Source: Endpoints, PUT user, responses; Errors. */
export const refusedChangesNothingChecks: readonly Check[] = operations
  .filter(({ id }) => !isSafe(route(id)))
  .flatMap(groupsOf);

/** The check that the refused requests of an item of the traffic change nothing. */
export const refusalsOf: ReadonlyMap<string, string> = new Map(
  refusedChangesNothingChecks.flatMap(({ id, uses }) => uses.map((probe) => [probe.id, id] as const)),
);
