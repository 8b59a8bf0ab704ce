import type { OperationId } from '../../../contract/document.ts';
import type { RequestSpec, Subject } from '../../http/exchange.ts';
import type { RequestBuilder, RequestOptions } from '../../target/requests.ts';

/** `PUT /api/admin/user-admin/{id}` (source: Endpoints, PUT user). */
export const UPDATE_USER = 'updateUser' satisfies OperationId;

export interface UpdateOptions extends RequestOptions {
  readonly subject: Subject;
}

/** An update of a user. */
export function update(requests: RequestBuilder, options: UpdateOptions): RequestSpec {
  return requests.build(UPDATE_USER, options);
}
