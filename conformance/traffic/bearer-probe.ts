import { type OperationId, requestSchemaOf, route } from '../../contract/document.ts';
import { isSafe, type RequestSpec } from '../http/exchange.ts';
import { INPUT_HELP } from '../target/inputs.ts';
import type { RequestBuilder } from '../target/requests.ts';

const BEARER = 'Bearer ';

/**
 * A request that shows whether a key that is refused would be taken with "Bearer" before it. It reads, or sends `{}`.
 *
 * @param operations that the run addresses
 * @returns undefined if there is no key, or one with a scheme already, or no request that changes nothing
 */
export function bearerProbe(requests: RequestBuilder, operations: ReadonlySet<OperationId>): RequestSpec | undefined {
  const { adminKey, userId } = requests.inputs;
  if (adminKey === undefined || adminKey.includes(' ')) return undefined;
  const credential = {
    label: 'the admin key behind "Bearer"',
    shell: `${BEARER}$${INPUT_HELP.adminKey.variable}`,
    header: BEARER + adminKey,
  };
  const purpose = 'Finding out whether the key needs "Bearer" before it';
  const needsUser = (operation: OperationId): boolean => route(operation).path.includes('{id}');
  const possible = [...operations].filter((operation) => userId !== undefined || !needsUser(operation));
  const operation = possible.find((each) => isSafe(route(each))) ?? possible[0];
  if (operation === undefined) return undefined;
  return requests.build(operation, {
    subject: needsUser(operation) ? 'user' : 'none',
    purpose,
    credential,
    ...(requestSchemaOf(operation) === undefined ? {} : { body: '{}' }),
  });
}
