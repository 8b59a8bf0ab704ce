import { isRecord } from '../../../common/json.ts';
import { shuffle } from '../../../conformance/run/shuffle.ts';
import { replacing, type Replacing } from '../../servers/behaviour.ts';
import { errorStatuses, type ApiError } from '../../../contract/document.ts';
import type { Store } from '../../../reference-server/rules.ts';
import type { WrittenVariant } from '../../variant.ts';
import { htmlTexts } from '../freedoms.ts';
import { about } from '../../table.ts';

/** Shows errors in another form, depending on their number, counted from 1. */
function showingErrors(present: (error: ApiError, turn: number, status: number) => unknown): Replacing {
  return replacing('refuse', (refuse) => {
    let turn = 0;
    return (status, message) => {
      const answer = refuse(status, message);
      return { ...answer, body: present(answer.body as ApiError, (turn += 1), status) };
    };
  });
}

const ERROR_IDS: readonly ((turn: number) => string)[] = [
  String,
  (turn) => `${'e'.repeat(5_000)}${turn}`,
  (turn) => '\ud83d\udca5'.repeat(turn),
  (turn) => `https://errors.example.com/${turn}`,
  (turn) => `"\u0000\\</script>\n${turn}`,
  (turn) => `${new Date().toISOString()}#${turn}`,
];

/** In German, in Arabic, long, and in HTML with control characters. */
const MESSAGES = [
  'Das geht leider nicht: prüfen Sie bitte Ihre Angaben.',
  '\u0627\u0644\u0637\u0644\u0628 \u063a\u064a\u0631 \u0635\u062d\u064a\u062d',
  'no '.repeat(16_667),
  '<p>No &mdash; <script>alert(1)</script></p>\r\nsecond\t\u0007\u001b[31mred\u001b[0m',
];

/** The same value with the members of each object in another order for another seed. */
function inOrder(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((each) => inOrder(each, seed));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name, inOrder(each, seed)] as const);
  return Object.fromEntries(shuffle(members, ([name]) => name, seed));
}

/** Choices for the error body. Source: Errors. */
export const errorsVariants: readonly WrittenVariant[] = [
  ...about(['open.error-id-form', 'errors.id-per-instance', 'errors.body'], {
    'error-ids-in-any-form: The `id` of an error is a number as a string, a long string, emoji, a URL, markup, or a time.':
      showingErrors((error, turn) => ({ ...error, id: ERROR_IDS[turn % ERROR_IDS.length]?.(turn) })),
  }),
  ...about(['errors.body', 'errors.message'], {
    'error-messages-in-any-form: By its status, the `message` of an error is in German, in Arabic, long, or has markup and control characters.':
      showingErrors((error, _turn, status) => ({ ...error, message: MESSAGES[errorStatuses.indexOf(status) % 4] })),
  }),
  ...about(['auth.existence-hidden', 'bodies.json'], {
    'members-in-any-order: The members of each object are in another order in every response.': replacing(
      'serialize',
      (serialize) => {
        let turn = 0;
        return (body) => serialize(inOrder(body, (turn += 1)));
      },
    ),
  }),
  ...about(['errors.body', 'open.extra-members'], {
    'error-with-details: Errors also have a list of problems, the status, a time and a trace id.': showingErrors(
      (error, _turn, status) => ({
        details: [{ message: error.message, path: ['name'], id: 5, name: null }],
        ...error,
        status,
        timestamp: Date.now(),
        trace: '4bf92f3577b34da6a3ce929d0e0e4736',
        cause: null,
      }),
    ),
    'error-with-the-user: Errors also have the members of a user, `banners` and a `code`.': showingErrors((error) => ({
      ...error,
      code: 7,
      banners: [],
      user: { id: 1 },
      email: null,
    })),
  }),
  ...about(['open.undocumented-statuses', 'errors.body'], {
    'undocumented-statuses-in-html: Errors with an undocumented status have an HTML page as body.': {
      replace: (rules) => ({
        ...htmlTexts.replace(rules, {} as Store),
        refuse: (status, message) =>
          status > 404 ? { status, body: `<h1>${status}</h1>` } : rules.refuse(status, message),
      }),
    },
  }),
  ...about(['auth.key-required', 'auth.key-valid'], {
    'challenge-with-401: A 401 response has a WWW-Authenticate field, as HTTP requires.': {
      around: (handle) => (request) => {
        const answer = handle(request);
        return answer.status === 401
          ? { ...answer, headers: { 'www-authenticate': 'ApiKey realm="admin", charset="UTF-8"' } }
          : answer;
      },
    },
  }),
];
