import type { ApiRequest } from '../../../reference-server/rules.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { named, rows } from '../../table.ts';
import { type WhichRefusal, answeredWith, refusedWith, sentId, takenAs, withId } from '../requests.ts';
import { isUpdate } from './updates.ts';

const WORD = /^[a-z]+$/;
const LEADING_JUNK = /^[a-z]+-?\d+$/;
const TRAILING_JUNK = /^\d+-?[a-z]+$/;
const FRACTION = /^\d+\.\d+$/;

/** Reads path ids of a certain form as another id. */
function readIds(form: RegExp, read: (id: string) => string | number): Behaviour {
  return takenAs((request: ApiRequest) =>
    isUpdate(request) && form.test(sentId(request)) ? withId(request, read(sentId(request))) : request,
  );
}

type ReachedRow = readonly [
  fault: string,
  title: string,
  cases: readonly string[],
  form: RegExp,
  read: (id: string) => string | number,
];

const REACHED_ROWS: readonly ReachedRow[] = rows({
  'read-by-parse-int: The server reads only the leading digits of an id: `4abc` and `4.5` are user 4.': [
    ['trailing-junk', 'fraction'],
    /^\d/,
    (id) => parseInt(id, 10),
  ],
  'letters-behind-cut-off: The server cuts off letters after an id.': [
    ['trailing-junk'],
    /^\d+[a-z]+$/,
    (id) => parseInt(id, 10),
  ],
  'slug-behind-cut-off: The server cuts off everything after a hyphen in an id, as if it were a readable name.': [
    ['trailing-junk'],
    /^\d+-/,
    (id) => id.split('-')[0] ?? '',
  ],
  'fraction-cut-off: The server cuts off the fraction of an id.': [
    ['fraction'],
    FRACTION,
    (id) => Math.trunc(Number(id)),
  ],
  'fraction-rounded: The server rounds an id to an integer, which may be another user.': [
    ['fraction'],
    FRACTION,
    (id) => Math.round(Number(id)),
  ],
  'letters-before-cut-off: The server cuts off letters before an id.': [
    ['leading-junk'],
    LEADING_JUNK,
    (id) => id.replace(/^\D+/, ''),
  ],
  'digits-picked: The server takes only the digits of an id, whatever surrounds them.': [
    ['leading-junk', 'trailing-junk'],
    /\d/,
    (id) => id.replaceAll(/\D/g, ''),
  ],
  'word-is-caller: The server takes a word as the id of the caller.': [['word'], WORD, () => 1],
  'anything-else-is-first-user: The server takes an id that is not an integer as that of the first user.': [
    ['word', 'leading-junk', 'trailing-junk', 'fraction'],
    /\D/,
    () => 1,
  ],
});

const reached: readonly Defect[] = REACHED_ROWS.map(([fault, title, cases, form, read]) => ({
  id: `path-id-${fault}`,
  title,
  breaks: ['path-id.integer'],
  killedBy: Object.fromEntries(cases.map((each) => [`path-id-${each}`, 'accepted'])),
  behaviour: readIds(form, read),
}));

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

/** Source: Endpoints, PUT user, path parameter. */
export const pathIdDefects: readonly Defect[] = [
  ...reached,
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
    'path-id-refused-as-bad-request: The 400 response to a path id that is not an integer has the error name BadRequest.':
      {
        breaks: ['errors.name'],
        killedBy: { 'error-name-400': 'wrong-error-name' },
        behaviour: refusedWith(invalid(NOT_INTEGER), 400, 'BadRequest'),
      },
    'path-id-word-updates-nobody: The server responds 200 to an update with a word as id, and changes no user.': {
      breaks: ['path-id.integer'],
      killedBy: { 'path-id-word': 'accepted' },
      behaviour: answeredWith(invalid(WORD), () => ({ status: 200, body: {} })),
    },
  }),
];
