import { documentedStatuses, errorName, openPoints, route, schema } from '../../contract/document.ts';
import { isAccepted, isSafe, objectBody } from '../http/exchange.ts';
import type { Recording } from '../model/recording/recording.ts';
import { distinct, type Observers } from '../model/observer.ts';
import type { Traffic } from '../model/recording/items.ts';
import { operations } from '../operations/index.ts';

/** What a target does where the contract leaves it open. It is never judged. */
export interface Observation {
  /** Id of the open point. */
  readonly id: string;
  /** One of the point's possible observations; undefined if it was not seen. */
  readonly observed: string | undefined;
  /** In words. */
  readonly text: string;
  /** What was seen, where words are not enough. */
  readonly detail?: unknown;
}

const errorMembers = Object.keys(schema('errorSchema').properties);
/** The bodies of the errors that the contract lists. */
function errorBodies({ exchanges }: Recording): Record<string, unknown>[] {
  return exchanges.flatMap((exchange) => {
    const body = errorName(exchange.response?.status ?? 0) === undefined ? undefined : objectBody(exchange);
    return body ? [body] : [];
  });
}

function unlisted(bodies: Iterable<Readonly<Record<string, unknown>>>, known: readonly string[]): string[] {
  const members = new Set<string>();
  for (const body of bodies) for (const member of Object.keys(body)) members.add(member);
  return [...members].filter((member) => !known.includes(member));
}

/** The letters and digits of a name in lower case. */
function spelling(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The known member that one which is not listed seems to mean, if it is not shown itself. */
function meantBy(member: string, known: readonly string[], bodies: Iterable<Readonly<Record<string, unknown>>>) {
  const meant = known.find((each) => spelling(each) === spelling(member));
  return [...bodies].some((body) => meant !== undefined && Object.hasOwn(body, meant)) ? undefined : meant;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The open points about every operation. */
const generalObservers: Observers = {
  'open.limits': {
    observe: ({ exchanges }) => {
      const pauses = exchanges.reduce((sum, each) => sum + each.pauses, 0);
      if (pauses === 0 && exchanges.every(({ response }) => response === undefined)) return undefined;
      return pauses > 0
        ? { observed: 'throttled', detail: pauses === 1 ? 'once' : `${pauses} times` }
        : 'not-throttled';
    },
  },
  'open.error-id-form': {
    observe: (recording) => {
      const ids = errorBodies(recording).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
      if (ids.length === 0) return undefined;
      if (ids.every((id) => UUID.test(id))) return 'uuid';
      return ids.every((id) => /^\d+$/.test(id)) ? 'digits' : 'other';
    },
  },
  'open.extra-members': {
    uses: operations.filter(({ id }) => isSafe(route(id))).map(({ control }) => control.traffic),
    observe: (recording) => {
      const errors = new Set(errorBodies(recording));
      const shown = operations.flatMap(({ id, shows }) => {
        const own = recording.exchanges.filter(({ request }) => request.operation === id).filter(isAccepted);
        const values = own.flatMap((exchange) => (shows.objects(exchange) ?? []).map(({ value }) => value));
        return [{ shows, values: new Set(values) }];
      });
      if (errors.size + shown.filter(({ values }) => values.size > 0).length === 0) return undefined;
      const extra = [
        ...shown.flatMap(({ shows: { object, schema: name }, values }) =>
          unlisted(values, Object.keys(schema(name).properties)).map((member) => `${object}.${member}`),
        ),
        ...unlisted(errors, errorMembers).map((member) => `error.${member}`),
      ];
      const respelled = shown.flatMap(({ shows: { object, schema: name }, values }) => {
        const known = Object.keys(schema(name).properties);
        return unlisted(values, known).flatMap((member) => {
          const meant = meantBy(member, known, values);
          return meant === undefined ? [] : [`${object}.${member} in place of ${meant}`];
        });
      });
      if (respelled.length > 0) return { observed: 'respelled', detail: distinct(respelled) };
      return extra.length > 0 ? { observed: 'present', detail: distinct(extra) } : 'absent';
    },
  },
  'open.undocumented-statuses': {
    observe: ({ exchanges }) => {
      const responded = exchanges.filter(({ response }) => response);
      if (responded.length === 0) return undefined;
      const others = responded.flatMap(({ request, response }) =>
        response && !documentedStatuses(request.operation).includes(response.status)
          ? [`${request.method} ${response.status}`]
          : [],
      );
      return others.length > 0 ? { observed: 'seen', detail: distinct(others) } : 'none';
    },
  },
};

const observers: Observers = Object.fromEntries(
  [generalObservers, ...operations.map((operation) => operation.observers)].flatMap((each) => Object.entries(each)),
);

/** Traffic that only serves observations. */
export const observationTraffic: readonly Traffic[] = Object.values(observers).flatMap(({ uses = [] }) => uses);

/** What a recording shows of the open points that can be observed, in the order of the contract. */
export function observe(recording: Recording): Observation[] {
  return openPoints.flatMap((point) => {
    const observer = observers[point.id];
    if (!observer) return [];
    const result = observer.observe(recording);
    const { observed, detail } = typeof result === 'object' ? result : { observed: result, detail: undefined };
    const text = point.observations.find(({ id }) => id === observed)?.text ?? 'Not seen in this run.';
    return [{ id: point.id, observed, text, ...(detail === undefined ? {} : { detail }) }];
  });
}
