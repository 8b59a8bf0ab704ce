import { operations } from '../../../conformance/operations/index.ts';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, dealt, mapped, tableOf } from '../../table.ts';
import { type Which, anError, success } from '../requests.ts';
import { delivering, page, sendingText } from '../responses.ts';

type Responses = readonly [what: string, words: string, which: Which];

const RESPONSES: readonly Responses[] = [
  ...operations.map(({ id, shown }): Responses => [shown, `The 200 response of \`${id}\``, success(id)]),
  ['error', 'An error response', anError],
];

const MEDIA_TYPES: Readonly<Record<string, string>> = {
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

type Spoil = (which: Which) => Behaviour;

const OTHER_TYPES: Table<Spoil> = {
  'without-content-type: has no Content-Type': (which) => delivering(which, () => ({ headers: [] })),
  ...tableOf(
    Object.entries(MEDIA_TYPES),
    ([fault, type]) => `${fault}: has the Content-Type "${type}"`,
    ([, type]) =>
      (which) =>
        delivering(which, () => ({ headers: [['content-type', type]] })),
  ),
};

const TEXTS: Table<(json: string) => string> = {
  'empty: is empty': () => '',
  'html: is an HTML page': () => page('Done'),
  'broken-off: is cut off': (json) => json.slice(0, -1),
  'with-comma-at-end: has a comma after the last member': (json) => json.replace(/}$/, ',}'),
  'sent-twice: is sent twice': (json) => json + json,
  'with-comment: contains a comment': (json) => `// made by a template\n${json}`,
  'with-nan: contains `NaN`': (json) => json.replace(/^\{/, '{"took":NaN,'),
};

const NOT_JSON: Table<Spoil> = {
  ...mapped(
    TEXTS,
    (spoil): Spoil =>
      (which) =>
        sendingText(which, spoil),
  ),
  'declared-as-gzip: says with its Content-Encoding that it is gzip': (which) =>
    delivering(which, ({ headers }) => ({ headers: [...headers, ['content-encoding', 'gzip']] })),
};

/** Source: opening paragraph. */
export const mediaTypesDefects: readonly WrittenDefect[] = [
  ...dealt(OTHER_TYPES, RESPONSES).flatMap(([[what, words, which], types]) =>
    breaking('bodies.json', types, `${what}-*: ${words} *.`, (spoil) => spoil(which)),
  ),
  ...dealt(NOT_JSON, RESPONSES).flatMap(([[what, words, which], texts]) =>
    breaking('bodies.json', texts, `${what}-json-*: ${words} is not JSON: it *.`, (spoil) => spoil(which)),
  ),
];
