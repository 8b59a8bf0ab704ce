import { replacing } from '../../servers/behaviour.ts';
import type { ApiRequest, Rules, Store } from '../../../reference-server/rules.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, mapped } from '../../table.ts';
import { openedBy } from '../every-operation/authentication.ts';
import {
  type Which,
  type WhichRequest,
  all,
  answered,
  hasHeader,
  not,
  sendsOnly,
  sendsText,
  sentId,
  sentKey,
  sentMembers,
  sentValue,
  withId,
} from '../requests.ts';
import { adding, answeredWith, refusedWith } from '../responses.ts';
import { anUpdate, isUpdate } from './updates.ts';

/** The bodies and users for which alone no key is required. */
const GAPS: Table<WhichRequest> = {
  'name-and-email: of name and e-mail address': sendsOnly('name', 'email'),
  'name-alone: of only a name': all(sendsOnly('name'), withId(/^1$/)),
  'nothing: with an empty object': sendsText(/^\{\}$/),
  'the-other-user: of any user but the first': withId(/^2$/),
};

/** Updates in a gap pass with such a credential. */
function gaps(requirement: string, isSo: WhichRequest, frame: string): WrittenDefect[] {
  const isProbe: WhichRequest = ({ request }) => sentMembers(request).name !== 5;
  const opened = mapped(GAPS, (which) => openedBy(() => true, all(isUpdate, isProbe, isSo, which)));
  return breaking(requirement, opened, `update-of-*-${frame}`);
}

const isUnknownKey: WhichRequest = ({ request }) => sentKey(request).startsWith('conformance-unknown-');

const malformedWithoutKey: Which = all(answered(401), isUpdate, ({ request }) => sentValue(request) === undefined);

type Step = (request: ApiRequest, rules: Rules, store: Store) => void;

const validate: Step = ({ body }, rules) => rules.validateUpdate(rules.parseBody(body));
const lookUp: Step = (request, rules, store) => rules.findUser(store, rules.parseUserId(sentId(request)));
const ORDERS: Table<Step> = {
  'body-validated-before-key: validates the body before it checks the key': validate,
  'user-looked-up-before-key: looks up the user before it checks the key': lookUp,
};

/** What authentication means for an update in particular. Source: Authentication, 1 and 2; Errors, 401. */
export const updateAuthenticationDefects: readonly WrittenDefect[] = [
  ...gaps('auth.key-required', not(hasHeader), 'without-key: accepts an update * without a key'),
  ...gaps('auth.key-valid', isUnknownKey, 'with-unknown-key: accepts an update * with a key that nobody issued'),
  ...breaking(['auth.key-required', 'auth.key-valid'], {
    'caller-remembered-by-address: A client that has sent a valid key once need not send it again.': replacing(
      'authenticate',
      (authenticate) => {
        let known = false;
        return (request, store) => {
          if (isUpdate({ request }) && sentKey(request) === store.keys.admin) known = true;
          else if (isUpdate({ request }) && known && sentKey(request) !== store.keys.restricted) return 'admin';
          return authenticate(request, store);
        };
      },
    ),
    'malformed-body-crashes-without-key: fails when the body is not JSON and the key is missing or unknown':
      refusedWith(malformedWithoutKey, 500),
    'malformed-body-skips-key: When the body cannot be read, the server responds 200 before it checks the key.':
      answeredWith(malformedWithoutKey, () => ({ status: 200, body: {} })),
  }),
  ...breaking('auth.header-only', {
    'update-key-taken-from-body: accepts the key in the member `apiKey` of an update': openedBy(
      ({ key, ...request }) => sentMembers(request).apiKey === key,
      isUpdate,
    ),
  }),
  ...breaking('auth.key-not-shown', {
    'key-repeated-in-user: A user shows the key with which it was updated.': adding(anUpdate, (_user, { request }) => ({
      updatedWith: sentKey(request),
    })),
  }),
  ...breaking('auth.existence-hidden', {
    'missing-user-told-without-key: Without a key, the 401 response says that the user does not exist.': adding(
      all(isUpdate, answered(401)),
      (_error, { request, store }) => ({
        message: `Send a valid key.${store.users.has(Number(sentId(request))) ? '' : ' There is no such user.'}`,
      }),
    ),
  }),
  ...breaking(
    'auth.comes-first',
    mapped(ORDERS, (step) =>
      replacing('authenticate', (authenticate, _store, rules) => (request, store) => {
        if (isUpdate({ request })) step(request, rules, store);
        return authenticate(request, store);
      }),
    ),
  ),
];
