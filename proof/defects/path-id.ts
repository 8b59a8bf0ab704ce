import type { ApiRequest } from '../../reference-server/rules.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Defect } from '../defect.ts';
import { answeredWith, refusedWith, sentId, withId, isUpdate, takenAs, type WhichRefusal } from './requests.ts';

const WORD = /^[a-z]+$/;
const LEADING_JUNK = /^[a-z]+-?\d+$/;
const TRAILING_JUNK = /^\d+-?[a-z]+$/;
const FRACTION = /^\d+\.\d+$/;

/** Reads path ids of a form as another id. */
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

const REACHED_ROWS: readonly ReachedRow[] = [
  [
    'read-by-parse-int',
    'The id is read as far as it is a number: `4abc` and `4.5` are user 4.',
    ['trailing-junk', 'fraction'],
    /^\d/,
    (id) => parseInt(id, 10),
  ],
  [
    'letters-behind-cut-off',
    'Letters behind the id are cut off.',
    ['trailing-junk'],
    /^\d+[a-z]+$/,
    (id) => parseInt(id, 10),
  ],
  [
    'slug-behind-cut-off',
    'What follows a hyphen behind the id is the name for people, and cut off.',
    ['trailing-junk'],
    /^\d+-/,
    (id) => id.split('-')[0] ?? '',
  ],
  ['fraction-cut-off', 'A fraction is cut off the id.', ['fraction'], FRACTION, (id) => Math.trunc(Number(id))],
  [
    'fraction-rounded',
    'The id is rounded to an integer, and is then perhaps another user.',
    ['fraction'],
    FRACTION,
    (id) => Math.round(Number(id)),
  ],
  [
    'letters-before-cut-off',
    'Letters before the id are cut off.',
    ['leading-junk'],
    LEADING_JUNK,
    (id) => id.replace(/^\D+/, ''),
  ],
  [
    'digits-picked',
    'The digits of the id are picked out, whatever stands around them.',
    ['leading-junk', 'trailing-junk'],
    /\d/,
    (id) => id.replaceAll(/\D/g, ''),
  ],
  ['word-is-caller', 'A word as id stands for the caller.', ['word'], WORD, () => 1],
  [
    'anything-else-is-first-user',
    'An id that is no integer stands for the first user.',
    ['word', 'leading-junk', 'trailing-junk', 'fraction'],
    /\D/,
    () => 1,
  ],
];

const reached: readonly Defect[] = REACHED_ROWS.map(([fault, title, cases, form, read]) => ({
  id: `path-id-${fault}`,
  title,
  breaks: ['path-id.integer'],
  killedBy: Object.fromEntries(cases.map((each) => [`path-id-${each}`, 'accepted'])),
  behaviour: readIds(form, read),
}));

/** What is refused for the form of its path id. */
function invalid(form: RegExp): WhichRefusal {
  return ({ request, status }) => status === 400 && isUpdate(request) && form.test(sentId(request));
}

const NOT_INTEGER = /[a-z.]/;

const otherStatuses: readonly Defect[] = (
  [
    ['word', WORD, 500, 'A word as id becomes no number, and the query fails on it.'],
    ['word', WORD, 405, 'A word as id is taken for the name of a collection that has no PUT.'],
    ['word', WORD, 403, 'A word as id names something that nobody may update.'],
    ['fraction', FRACTION, 500, 'A fraction as id makes the query fail.'],
    ['fraction', FRACTION, 422, 'A fraction as id is answered 422.'],
    ['leading-junk', LEADING_JUNK, 500, 'Letters before the id make the query fail.'],
    ['leading-junk', LEADING_JUNK, 422, 'Letters before the id are answered 422.'],
    ['trailing-junk', TRAILING_JUNK, 500, 'Letters behind the id make the query fail.'],
    ['trailing-junk', TRAILING_JUNK, 410, 'An id with letters behind is one of an old kind, and gone.'],
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
  {
    id: 'path-id-not-integer-is-422',
    title: 'A path id that is no integer is answered 422.',
    breaks: ['path-id.integer'],
    killedBy: {
      'path-id-word': 'wrong-status',
      'path-id-leading-junk': 'wrong-status',
      'path-id-trailing-junk': 'wrong-status',
      'path-id-fraction': 'wrong-status',
    },
    behaviour: refusedWith(invalid(NOT_INTEGER), 422),
  },
  {
    id: 'path-id-refused-as-bad-request',
    title: 'The 400 to a path id that is no integer has the error name BadRequest.',
    breaks: ['path-id.integer', 'errors.name'],
    killedBy: { 'path-id-word': 'wrong-error-name', 'error-name-400': 'wrong-error-name' },
    behaviour: refusedWith(invalid(NOT_INTEGER), 400, 'BadRequest'),
  },
  {
    id: 'path-id-word-updates-nobody',
    title: 'An update with a word as id matches no row, and counts as done.',
    breaks: ['path-id.integer'],
    killedBy: { 'path-id-word': 'accepted' },
    behaviour: answeredWith(invalid(WORD), () => ({ status: 200, body: {} })),
  },
];
