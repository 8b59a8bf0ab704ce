import type { Behaviour } from '../../behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking } from '../../table.ts';
import { type Which, all, answered, withId } from '../requests.ts';
import { answeredWith, refusedWith } from '../responses.ts';
import { isUpdate } from './updates.ts';

/** The ids that each check sends. */
const FORMS = {
  word: /^[a-z]+$/,
  'leading-junk': /^[a-z]+-?\d+$/,
  'trailing-junk': /^\d+-?[a-z]+$/,
  fraction: /^\d+\.\d+$/,
};

/** Matches updates that are refused because of the form of their path id. */
function invalid(form: RegExp): Which {
  return all(answered(400), isUpdate, withId(form));
}

function seenBy(mode: string, cases: readonly string[], table: Table<Behaviour>): WrittenDefect[] {
  return breaking(['path-id.integer'], 'path-id-*: *')(table);
}

const OTHER_STATUSES: readonly (readonly [check: keyof typeof FORMS, status: number, title: string])[] = [
  ['word', 500, 'The server fails on a word as id, because its query needs a number.'],
  ['word', 405, 'The server responds 405 to a word as id, as if it named a collection without PUT.'],
  ['word', 403, 'The server responds 403 to a word as id, as if the permission were missing.'],
  ['fraction', 500, 'The server fails on a fraction as id.'],
  ['fraction', 422, 'The server responds 422 to a fraction as id.'],
  ['leading-junk', 500, 'The server fails on an id with letters before it.'],
  ['leading-junk', 422, 'The server responds 422 to an id with letters before it.'],
  ['trailing-junk', 500, 'The server fails on an id with letters after it.'],
  ['trailing-junk', 410, 'The server responds 410 to an id with letters after it, as if it were an old id.'],
];

/** How path ids are refused; the ids that reach a user are in `every-operation/paths.ts`. Source: Endpoints, PUT user. */
export const pathIdDefects: readonly WrittenDefect[] = [
  ...OTHER_STATUSES.flatMap(([check, status, title]) =>
    seenBy('wrong-status', [check], {
      [`${check}-is-${status}: ${title}`]: refusedWith(invalid(FORMS[check]), status),
    }),
  ),
  ...seenBy('wrong-status', Object.keys(FORMS), {
    'not-integer-is-422: The server responds 422 to a path id that is not an integer.': refusedWith(
      invalid(/[a-z.]/),
      422,
    ),
  }),
  ...seenBy('accepted', ['word'], {
    'word-updates-nobody: The server responds 200 to an update with a word as id, and changes no user.': answeredWith(
      invalid(FORMS.word),
      () => ({ status: 200, body: {} }),
    ),
  }),
];
