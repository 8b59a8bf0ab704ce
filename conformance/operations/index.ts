import type { OperationId } from '../../contract/document.ts';
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

function userOperationAmong(all: readonly Operation[]): OperationId {
  const found = all.find(({ restoresUsers }) => restoresUsers);
  if (!found) throw new Error('No operation restores users.');
  return found.id;
}

/** The operation that reads, writes and restores users. */
export const userOperation: OperationId = userOperationAmong(operations);
