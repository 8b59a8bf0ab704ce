import { type OperationId, route, schema } from '../../contract/document.ts';
import { type Exchange, isAccepted, isSafe } from '../http/exchange.ts';
import { isProbe, requestOf } from '../model/recording/items.ts';
import { type Inputs, namedAs, namedId, type Writable, WRITABLE } from '../resources/inputs.ts';
import { type Kept, type KeptSubject, type Writer, restoreKept } from '../traffic/keeping/kept.ts';
import type { Effect } from '../resources/effect.ts';
import type { Operation } from '../traffic/operation.ts';
import { listBanners } from './list-banners/index.ts';
import { updateUser } from './update-user/index.ts';
import type { ResourceId } from '../resources/resource.ts';
import type { Sending, ToRestore } from '../traffic/keeping/restore.ts';
import type { UserRestoration } from '../traffic/keeping/restoration.ts';
import { updatedResource } from '../resources/index.ts';

/** Every operation of the contract: the only list of them. An operation that is missing here does not compile. */
const byId: Readonly<Record<OperationId, Operation>> = { updateUser, listBanners };

/** The operations, in the order in which checks and reports list them. */
export const operations: readonly Operation[] = Object.values(byId);

/** What an operation does to the resource that it addresses. */
export function effectOf(id: OperationId): Effect | undefined {
  return byId[id].effect;
}

/** The members that a request may write beside those that the updates of sessions send. */
export function writtenBy({ request }: Exchange): readonly string[] {
  return effectOf(request.operation)?.writes?.members ?? [];
}

/** The operations that write a resource beside the updates of its sessions. */
function writersOf(resource: ResourceId): readonly Writer[] {
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
    reading: (requests) => (isProbe(traffic) ? requestOf(traffic, requests, 0) : undefined),
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

function updatingAmong(all: readonly Operation[]) {
  const [found] = all.flatMap(({ id, updates }) => (updates ? [{ id, updates }] : []));
  if (!found) throw new Error('No operation updates what nothing else shows.');
  return found;
}

/** The operation whose updates alone show what they write. */
export const updating = updatingAmong(operations);

/** Gives what was named the values back that it had, and checks that they are there. Never throws for what the target does. */
export function restoreOne(sending: Sending, what: ToRestore): Promise<UserRestoration> {
  const kept = keptAs(what.subject);
  if (kept) return restoreKept(sending, { ...kept, ...what }, what.originals);
  const { id, updates } = updating;
  return updates.restore({ ...sending, operation: id, writers: writersOf(updatedResource.id) }, what);
}
