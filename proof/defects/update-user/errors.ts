import type { WrittenDefect } from '../../defect.ts';
import { foreignErrors } from '../every-operation/errors.ts';
import { type Which, not, sendsNoJson, sendsNothing, withId } from '../requests.ts';

const again: Which = ({ count }) => count > 1;

/** Source: Resources, Error body; Errors. */
export const updateErrorsDefects: readonly WrittenDefect[] = [
  ...foreignErrors('malformed-json', 'to a body that is not JSON', 400, sendsNoJson),
  ...foreignErrors('absent-body', 'to a request without a body', 400, sendsNothing),
  ...foreignErrors('non-integer-id', 'to an id that is not an integer', 400, not(withId(/^\d+$/))),
  ...foreignErrors('second-user', 'to an update of one of the users', 403, withId(/^2$/)),
  ...foreignErrors('repeated-request', 'to a request that got a 404 before', 404, again),
];
