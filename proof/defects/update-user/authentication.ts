import { replacing } from '../../behaviour.ts';
import type { ApiRequest, Rules, Store } from '../../../reference-server/rules.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, defectsOf, named } from '../../table.ts';
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
import { answeredWith, refusedWith, showing } from '../responses.ts';
import { anUpdate, isUpdate } from './updates.ts';

/** The bodies and users for which alone no key is required. */
const GAPS: Table<WhichRequest> = {
  'name-and-email: of name and e-mail address': sendsOnly('name', 'email'),
  'name-alone: of only a name': all(sendsOnly('name'), withId(/^1$/)),
  'email-alone: of only an e-mail address': sendsOnly('email'),
  'nothing: with an empty object': sendsText(/^\{\}$/),
  'the-other-user: of any user but the first': withId(/^2$/),
};

/** Updates in a gap pass with such a credential. */
function gaps(id: string, words: string, requirement: string, isSo: WhichRequest): WrittenDefect[] {
  const isProbe: WhichRequest = ({ request }) => sentMembers(request).name !== 5;
  return defectsOf(
    GAPS,
    (which) => ({
      breaks: [requirement],
      behaviour: openedBy(() => true, all(isUpdate, isProbe, isSo, which)),
    }),
    `update-of-*-${id}: The server accepts an update * ${words}.`,
  );
}

const isUnknownKey: WhichRequest = ({ request }) => sentKey(request).startsWith('conformance-unknown-');

const malformedWithoutKey: Which = all(answered(401), isUpdate, ({ request }) => sentValue(request) === undefined);

type Step = (request: ApiRequest, rules: Rules, store: Store) => void;

const validate: Step = ({ body }, rules) => {
  rules.validateUpdate(rules.parseBody(body));
};
const lookUp: Step = (request, rules, store) => {
  rules.findUser(store, rules.parseUserId(sentId(request)));
};
/** Checks at once that a key is present, but only later that it is valid. */
const withKeyAlone =
  (step: Step): Step =>
  (request, rules, store) => {
    if (sentKey(request) !== '') step(request, rules, store);
  };

const ORDERS: Table<Step> = {
  'body-validated-before-key: The server validates the body before it checks the key.': validate,
  'user-looked-up-before-key: The server looks up the user before it checks the key.': lookUp,
  'key-verified-after-validation: The server checks at once that a key is present, but verifies it only after it has validated the body.':
    withKeyAlone(validate),
  'key-verified-after-user-lookup: The server checks at once that a key is present, but verifies it only after it has found the user.':
    withKeyAlone(lookUp),
};

/** What authentication means for an update in particular. Source: Authentication, 1 and 2; Errors, 401. */
export const updateAuthenticationDefects: readonly WrittenDefect[] = [
  ...gaps('without-key', 'without a key', 'auth.key-required', not(hasHeader)),
  ...gaps('with-unknown-key', 'with a key that nobody issued', 'auth.key-valid', isUnknownKey),
  ...named<WrittenDefect>({
    'caller-remembered-by-address: A client that has sent a valid key once need not send it again.': {
      breaks: ['auth.key-required', 'auth.key-valid'],
      behaviour: replacing('authenticate', (authenticate) => {
        let known = false;
        return (request, store) => {
          if (isUpdate({ request }) && sentKey(request) === store.keys.admin) known = true;
          else if (isUpdate({ request }) && known && sentKey(request) !== store.keys.restricted) return 'admin';
          return authenticate(request, store);
        };
      }),
    },
    'update-key-taken-from-body: The server accepts the key in the member `apiKey` of an update.': {
      breaks: ['auth.header-only'],
      behaviour: openedBy((_sent, key, request) => sentMembers(request).apiKey === key, isUpdate),
    },
    'key-repeated-in-user: A user shows the key with which it was updated.': {
      breaks: ['auth.key-not-shown'],
      behaviour: showing<object>(anUpdate, (body, { request }) => ({ ...body, updatedWith: sentKey(request) })),
    },
    'missing-user-told-without-key: Without a key, the 401 response says that the user does not exist.': {
      breaks: ['auth.existence-hidden'],
      behaviour: showing<object>(all(isUpdate, answered(401)), (body, { request, store }) => ({
        ...body,
        message: `Send a valid key.${store.users.has(Number(sentId(request))) ? '' : ' There is no such user.'}`,
      })),
    },
  }),
  ...defectsOf(ORDERS, (step) => ({
    breaks: ['auth.comes-first'],
    behaviour: replacing('authenticate', (authenticate, _store, rules) => (request, store) => {
      if (isUpdate({ request })) step(request, rules, store);
      return authenticate(request, store);
    }),
  })),
  ...breaking(['auth.key-required', 'auth.key-valid'])({
    'malformed-body-crashes-without-key: The server fails when the body is not JSON and the key is missing or unknown.':
      refusedWith(malformedWithoutKey, 500),
    'malformed-body-skips-key: When the body cannot be read, the server responds 200 before it checks the key.':
      answeredWith(malformedWithoutKey, () => ({ status: 200, body: {} })),
  }),
];
