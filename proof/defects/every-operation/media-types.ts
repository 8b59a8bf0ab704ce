import { operations } from '../../../conformance/operations/index.ts';
import { errorStatuses } from '../../../contract/document.ts';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, rows, tableOf } from '../../table.ts';
import { type Which, anError, answered, success } from '../requests.ts';
import { delivering, page, sendingText } from '../responses.ts';

type Responses = readonly [what: string, words: string, which: Which];

const RESPONSES: readonly Responses[] = [
  ...operations.map(({ id, shown }): Responses => [shown, `The 200 response of \`${id}\``, success(id)]),
  ['error', 'An error response', anError],
];

const MEDIA_TYPES: Readonly<Record<string, string | undefined>> = {
  'without-content-type': undefined,
  'with-empty-content-type': '',
  'declared-as-html': 'text/html; charset=utf-8',
  'declared-as-plain-text': 'text/plain',
  'declared-as-xml': 'application/xml',
  'declared-as-bytes': 'application/octet-stream',
  'declared-as-javascript': 'application/javascript',
  'declared-as-form': 'application/x-www-form-urlencoded',
  'declared-without-type': 'json',
  'declared-as-json-lines': 'application/jsonl',
};

const declared = (which: Which, type?: string): Behaviour =>
  delivering(which, () => ({ headers: type === undefined ? [] : [['content-type', type]] }));

const NOT_JSON: Table<(json: string) => string> = {
  'empty: is empty': () => '',
  'html: is an HTML page': () => page('Done'),
  'broken-off: is cut off': (json) => json.slice(0, -1),
  'with-comma-at-end: has a comma after the last member': (json) => json.replace(/}$/, ',}'),
  'sent-twice: is sent twice': (json) => json + json,
  'with-comment: contains a comment': (json) => `// made by a template\n${json}`,
  'with-nan: contains `NaN`': (json) => json.replace(/^\{/, '{"took":NaN,'),
};

/** Source: opening paragraph. */
export const mediaTypesDefects: readonly WrittenDefect[] = [
  ...RESPONSES.flatMap(([what, words, which]) =>
    breaking('bodies.json', {
      ...tableOf(
        Object.entries(MEDIA_TYPES),
        ([fault, type]) =>
          `${what}-${fault}: ${words} ${type === undefined ? 'has no Content-Type' : `has the Content-Type "${type}"`}.`,
        ([, type]) => declared(which, type),
      ),
      ...tableOf(
        rows(NOT_JSON),
        ([id, fault]) => `${what}-json-${id}: ${words} is not JSON: it ${fault}.`,
        ([, , spoil]) => sendingText(which, spoil),
      ),
      [`${what}-declared-as-gzip: ${words} is plain JSON, although its Content-Encoding says gzip.`]: delivering(
        which,
        ({ headers }) => ({ headers: [...headers, ['content-encoding', 'gzip']] }),
      ),
    }),
  ),
  ...breaking(
    'bodies.json',
    tableOf(
      errorStatuses,
      (status) => `error-${status}-declared-as-plain-text: A ${status} response is declared as plain text.`,
      (status) => declared(answered(status), 'text/plain'),
    ),
  ),
];
