import { isUtf8 } from 'node:buffer';
import { isRecord, parsedJson } from '../../../common/json.ts';
import { Refused } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, mapped, tableOf } from '../../table.ts';
import { type Test, a, is, isA } from './member-types.ts';

/** How the server reads a body that is not an object, or not JSON; undefined leaves it to the rule. */
type Read<From> = (body: From) => unknown;

function emptyIf(test: Test): Read<unknown> {
  return (body) => (test(body) ? {} : undefined);
}

/** Bodies that are no objects. */
const NO_OBJECTS: Table<Read<unknown>> = {
  ...tableOf(
    ['array', 'string', 'number', 'boolean', 'null'] as const,
    (type) => `${type}-body-taken-as-empty: reads ${a(type)} as body as an empty object`,
    (type) => emptyIf(isA(type)),
  ),
  'falsy-body-taken-as-empty: reads a falsy value as body as an empty object': emptyIf((body) => !body),
  'any-body-taken-as-empty: reads any body that is not an object as an empty object': () => ({}),
};

/** Reads a body that is not JSON in another way. */
function readAs(breaks: string | readonly string[], table: Table<Read<string>>): WrittenDefect[] {
  const reading = (read: Read<string>): Behaviour =>
    replacing('parseBody', (parse) => (body) => {
      const text = body.toString('utf8');
      return parsedJson(text) === undefined ? (read(text) ?? parse(body)) : parse(body);
    });
  return breaking(breaks, mapped(table, reading));
}

/** Reads a body that is not UTF-8 as if it were in this encoding. */
function otherCharset(encoding: 'utf8' | 'latin1'): Behaviour {
  return replacing('parseBody', (parse) => (body) => parse(isUtf8(body) ? body : Buffer.from(body.toString(encoding))));
}

/** Fails on some bodies. */
function failingOn(which: (body: Buffer) => boolean): Behaviour {
  return replacing('parseBody', (parse) => (body) => {
    if (which(body)) throw new Refused(500, 'The body cannot be read.');
    return parse(body);
  });
}

/** Valid JSON texts that few parsers can handle. */
const EXTREME: Table<RegExp> = {
  'large-exponent-fails: fails on a number that is too large for its type': /1e400/,
  'many-digits-fail: fails on a number with thousands of digits': /\d{4400}/,
  'deep-nesting-fails: fails on deeply nested arrays, as its parser calls itself': /\[{1000}/,
};

/** A body that is no JSON object is accepted. Source: Endpoints, PUT user, request body; Errors, 400. */
export const unreadableBodyDefects: readonly WrittenDefect[] = [
  ...breaking(
    'request-body.object',
    mapped(NO_OBJECTS, (read) =>
      replacing('validateUpdate', (validate) => (body) => validate(isRecord(body) ? body : (read(body) ?? body))),
    ),
  ),
  ...readAs('request-body.required', {
    'absent-body-taken-as-empty: reads an absent body as `{}`': emptyIf(is('')),
  }),
  ...readAs('request-body.well-formed', {
    'malformed-body-taken-as-empty: reads a body that is not JSON as `{}`': emptyIf((text) => text !== ''),
    'broken-off-body-completed: completes a body that is cut off': (text) => parsedJson(`${text}}`),
    'form-taken-as-body: accepts a form as well as JSON': (text) =>
      /^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined,
  }),
  ...readAs(['request-body.required', 'request-body.well-formed'], {
    'unreadable-body-taken-as-empty: reads a body that is absent or not JSON as `{}`': () => ({}),
  }),
  ...readAs('request-body.strict-json', {
    'text-behind-body-ignored: reads the body only to the end of the first JSON value': (text) =>
      parsedJson(text.slice(0, text.indexOf('}') + 1)),
    'single-quotes-taken: accepts strings in single quotes': (text) => parsedJson(text.replaceAll("'", '"')),
    'comma-behind-last-member-taken: ignores a comma after the last member': (text) =>
      parsedJson(text.replace(/,\}$/, '}')),
    'nan-taken: accepts NaN as a number': (text) => parsedJson(text.replace(':NaN', ':null')),
    'leading-zeros-taken: accepts numbers with leading zeros': (text) => parsedJson(text.replace(/:0+(?=\d)/, ':')),
    'line-breaks-in-strings-taken: accepts line breaks inside strings': (text) =>
      parsedJson(text.replaceAll('\n', '\\n')),
    'other-escapes-taken: accepts the escapes of JavaScript': (text) => parsedJson(text.replaceAll('\\x', '\\u00')),
  }),
  ...breaking('request-body.utf-8', {
    'invalid-bytes-replaced: replaces bytes that are not UTF-8 by U+FFFD': otherCharset('utf8'),
    'invalid-bytes-fail: fails on bytes that are not UTF-8': failingOn((body) => !isUtf8(body)),
    'invalid-bytes-fail-later: stores bytes that are not UTF-8, and fails whenever it has to show them': {
      replace: (rules) => ({
        parseBody: (body) => rules.parseBody(isUtf8(body) ? body : Buffer.from(body.toString('utf8'))),
        applyUpdate: (store, before, body) => {
          const after = rules.applyUpdate(store, before, body);
          if (after.name?.includes('\ufffd')) throw new Refused(500, 'The text is not UTF-8.');
          return after;
        },
      }),
    },
  }),
  ...breaking('request-body.extreme-values', EXTREME, '*: *', (form) =>
    failingOn((body) => form.test(body.toString())),
  ),
];
