import type { Defect } from '../../defect.ts';
import { named } from '../../table.ts';
import { type WhichRefusal, answeredWith, refusedWith, sentId } from '../requests.ts';
import { isUpdate } from './updates.ts';

const WORD = /^[a-z]+$/;
const LEADING_JUNK = /^[a-z]+-?\d+$/;
const TRAILING_JUNK = /^\d+-?[a-z]+$/;
const FRACTION = /^\d+\.\d+$/;

/** Matches updates that are refused because of the form of their path id. */
function invalid(form: RegExp): WhichRefusal {
  return ({ request, status }) => status === 400 && isUpdate(request) && form.test(sentId(request));
}

const NOT_INTEGER = /[a-z.]/;

const otherStatuses: readonly Defect[] = (
  [
    ['word', WORD, 500, 'The server fails on a word as id, because its query needs a number.'],
    ['word', WORD, 405, 'The server responds 405 to a word as id, as if it named a collection without PUT.'],
    ['word', WORD, 403, 'The server responds 403 to a word as id, as if the permission were missing.'],
    ['fraction', FRACTION, 500, 'The server fails on a fraction as id.'],
    ['fraction', FRACTION, 422, 'The server responds 422 to a fraction as id.'],
    ['leading-junk', LEADING_JUNK, 500, 'The server fails on an id with letters before it.'],
    ['leading-junk', LEADING_JUNK, 422, 'The server responds 422 to an id with letters before it.'],
    ['trailing-junk', TRAILING_JUNK, 500, 'The server fails on an id with letters after it.'],
    [
      'trailing-junk',
      TRAILING_JUNK,
      410,
      'The server responds 410 to an id with letters after it, as if it were an old id.',
    ],
  ] as const
).map(([check, form, status, title]) => ({
  id: `path-id-${check}-is-${status}`,
  title,
  breaks: ['path-id.integer'],
  killedBy: { [`path-id-${check}`]: 'wrong-status' },
  behaviour: refusedWith(invalid(form), status),
}));

/** How path ids are refused; the ids that reach a user are in `every-operation/paths.ts`. Source: Endpoints, PUT user. */
export const pathIdDefects: readonly Defect[] = [
  ...otherStatuses,
  ...named<Defect>({
    'path-id-not-integer-is-422: The server responds 422 to a path id that is not an integer.': {
      breaks: ['path-id.integer'],
      killedBy: {
        'path-id-word': 'wrong-status',
        'path-id-leading-junk': 'wrong-status',
        'path-id-trailing-junk': 'wrong-status',
        'path-id-fraction': 'wrong-status',
      },
      behaviour: refusedWith(invalid(NOT_INTEGER), 422),
    },
    'path-id-word-updates-nobody: The server responds 200 to an update with a word as id, and changes no user.': {
      breaks: ['path-id.integer'],
      killedBy: { 'path-id-word': 'accepted' },
      behaviour: answeredWith(invalid(WORD), () => ({ status: 200, body: {} })),
    },
  }),
];
