import { parsedJson } from '../../../common/json.ts';
import type { Defect } from '../../defect.ts';
import { foreignErrors } from '../every-operation/errors.ts';
import { sentId } from '../requests.ts';
import type { WhichResponse } from '../responses.ts';

const notJson: WhichResponse = ({ request, status }) =>
  status === 400 && request.body.length > 0 && parsedJson(request.body.toString('utf8')) === undefined;
const noBody: WhichResponse = ({ request, status }) => status === 400 && request.body.length === 0;
const oddId: WhichResponse = ({ request, status }) => status === 400 && !/^\d+$/.test(sentId(request));
const ofSecondUser: WhichResponse = ({ request, status }) => status === 403 && sentId(request) === '2';
const sameUserAgain: WhichResponse = ({ status, count }) => status === 404 && count > 1;

/** Source: Resources, Error body; Errors. */
export const updateErrorsDefects: readonly Defect[] = [
  ...foreignErrors('malformed-json', 'to a body that is not JSON', 400, notJson),
  ...foreignErrors('absent-body', 'to a request without a body', 400, noBody),
  ...foreignErrors('non-integer-id', 'to an id that is not an integer', 400, oddId),
  ...foreignErrors('second-user', 'to an update of one of the users', 403, ofSecondUser),
  ...foreignErrors('repeated-request', 'to a request that got a 404 before', 404, sameUserAgain),
];
