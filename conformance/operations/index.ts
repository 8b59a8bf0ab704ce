import { type OperationId, route, schema } from '../../contract/document.ts';
import { isAccepted, isSafe } from '../http/exchange.ts';
import { isProbe } from '../model/recording/items.ts';
import { type Inputs, namedAs, namedId, type ResourceId, type Writable, WRITABLE } from '../resources/inputs.ts';
import type { Kept, KeptSubject, Writer } from '../traffic/keeping/kept.ts';
import type { Effect } from '../resources/effect.ts';
import type { Operation } from '../traffic/operation.ts';
import { listBanners } from './list-banners/index.ts';
import { updateUser } from './update-user/index.ts';

/** Every operation of the contract: the only list of them. An operation that is missing here does not compile. */
const byId: Readonly<Record<OperationId, Operation>> = { updateUser, listBanners };

/** The operations, in the order in which checks and reports list them. */
export const operations: readonly Operation[] = Object.values(byId);

/** What an operation does to the resource that it addresses. */
export function effectOf(id: OperationId): Effect | undefined {
  return byId[id].effect;
}

/** The operations that write a resource beside the updates of its sessions. */
export function writersOf(resource: ResourceId): readonly Writer[] {
  return operations.flatMap(({ id, effect }) =>
    effect?.writes && effect.resource === resource ? [{ operation: id, writes: effect.writes }] : [],
  );
}

/** How a subject is kept that has no sessions; undefined if it has, or if nothing writes it or shows it. */
export function keptAs(subject: Writable): Kept | undefined {
  const resource = namedAs(subject)?.resource;
  const all = operations.filter(({ shows }) => shows.resource === resource);
  const reader = all.find(({ id }) => isSafe(route(id)));
  const writers = resource ? writersOf(resource) : [];
  if (!reader || writers.length === 0 || all.some(({ updates }) => updates)) return undefined;
  const { traffic } = reader.control;
  return {
    writers,
    members: Object.keys(schema(reader.shows.schema).properties),
    reading: (requests) => (isProbe(traffic) ? traffic.build(requests, 0) : undefined),
    shownIn: (exchange, id) => {
      if (!isAccepted(exchange) || exchange.request.operation !== reader.id) return undefined;
      return reader.shows.objects(exchange)?.find(({ value }) => String(value.id) === id)?.value;
    },
  };
}

/** What the operator named that has no sessions, and is written. */
export function keptFor(inputs: Inputs): readonly KeptSubject[] {
  return WRITABLE.flatMap((subject) => {
    const [kept, id] = [keptAs(subject), namedId(inputs, subject)];
    return kept && id !== undefined ? [{ ...kept, subject, id }] : [];
  });
}

function userOperationAmong(all: readonly Operation[]): OperationId {
  const found = all.find(({ updates }) => updates);
  if (!found) throw new Error('No operation restores users.');
  return found.id;
}

/** The operation that reads, writes and restores users. */
export const userOperation: OperationId = userOperationAmong(operations);
