import { parsedJson } from '../../../common/json.ts';
import { UPDATABLE } from '../../../conformance/resources/user/members.ts';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking } from '../../table.ts';
import { foreignErrors } from '../every-operation/errors.ts';
import {
  type Members,
  type Which,
  type WhichRequest,
  all,
  answered,
  hasKey,
  not,
  sends,
  sendsNoJson,
  sendsNothing,
  sentId,
  sentMembers,
  withId,
} from '../requests.ts';
import { type Act, changes, countsLogin, followedBy } from '../responses.ts';
import { OTHER, USER, isUpdate } from './updates.ts';

/** The members of a body that conform. */
function validMembers(members: Members): Members {
  const conforms = (member: string, value: unknown): boolean =>
    member === 'rootRole' ? Number.isInteger(value) : typeof value === 'string';
  return Object.fromEntries(
    UPDATABLE.filter((member) => conforms(member, members[member])).map((member) => [member, members[member]]),
  );
}

/** Stores the conforming members of the body for a user. */
function storingFor(id: number, only: readonly string[] = UPDATABLE): Act {
  return changes(id, (_user, { request }) =>
    Object.fromEntries(Object.entries(validMembers(sentMembers(request))).filter(([member]) => only.includes(member))),
  );
}

/** Stores the conforming members of the body (`only` these, if any) for the user whose id the path begins or ends with. */
function storing(...only: readonly string[]): Act {
  return (asked) => {
    const id = parseInt(sentId(asked.request).replace(/^[a-z]+/, ''), 10);
    storingFor(id, only.length > 0 ? only : UPDATABLE)(asked);
  };
}

/** Stores what `read` makes of the text of the body. */
function applyText(read: (text: string) => unknown): Act {
  return changes(USER, (_user, { request }) => (read(request.body.toString('utf8')) ?? {}) as Members);
}

const everyUser: Act = (asked) => {
  for (const id of asked.store.users.keys()) storingFor(id)(asked);
};

const sendsWrong = (member: string): WhichRequest =>
  all(sends(member), ({ request }) => !(member in validMembers(sentMembers(request))));

const isInteger = withId(/^\d+$/);

/** Does so only after some requests. */
function when(which: WhichRequest, act: Act): Act {
  return (asked) => {
    if (which(asked)) act(asked);
  };
}

/** Refusals that change a user. */
function yet(group: string, refused: Which, table: Table<Act>): WrittenDefect[] {
  return breaking('update.refused-changes-nothing', table, `refused-${group}-*: *`, (act) =>
    followedBy(all(isUpdate, refused), act),
  );
}

/** Source: Endpoints, PUT user, responses; Errors. */
export const refusalsDefects: readonly WrittenDefect[] = [
  ...yet('401', answered(401), {
    'stored: stores an update before it checks the key, and then refuses it': storing(),
    'stores-role: A separate component stores a root role without checking the key.': when(
      sends('rootRole'),
      storing('rootRole'),
    ),
    'stored-without-key: If no key is sent, the server stores the update although it responds with a refusal.': when(
      not(hasKey),
      storing(),
    ),
    'stored-with-key-in-query: refuses a key in the query, but stores the update': when(
      ({ request }) => request.query !== '',
      storing(),
    ),
    'stored-for-other-user: refuses an update without a valid key, but stores it for another user': storingFor(OTHER),
  }),
  ...yet('403', answered(403), {
    'names-the-user-anew: refuses an update without the permission, but gives the first user a name that nobody sent':
      changes(USER, { name: 'Nobody' }),
    'stored: stores an update before it checks the permission': storing(),
    'stores-role: stores a root role before it checks the permission': storing('rootRole'),
    'stored-for-other-user: refuses an update without the permission, but stores it for the user after the addressed one':
      when(withId(/^1$/), storingFor(OTHER)),
  }),
  ...yet('400', all(answered(400), isInteger), {
    'half-stored: refuses a body with an invalid member, but stores the valid ones': storing(),
    'stores-name-beside-wrong-email: stores a name before it finds that the e-mail address is invalid': when(
      sendsWrong('email'),
      storing('name'),
    ),
    'stores-wrong-name: stores a name of a wrong type as a string, and then refuses it': when(
      sendsWrong('name'),
      changes(USER, (_user, { request }) => ({ name: String(sentMembers(request).name) })),
    ),
    'resets-name-without-body: refuses an update without a body, but empties the name': when(
      sendsNothing,
      changes(USER, { name: '' }),
    ),
    'stores-broken-off-body: stores each member as it reads it, even from a body that is cut off': applyText((text) =>
      parsedJson(text) === undefined ? parsedJson(`${text}}`) : undefined,
    ),
    'stores-form: stores a form, and then refuses it because it is not JSON': applyText((text) =>
      text.startsWith('name=') ? { name: new URLSearchParams(text).get('name') } : undefined,
    ),
    'counts-as-failed-login: An invalid update counts as a failed login.': when(sends('name'), countsLogin(USER)),
    'stored-for-other-user: refuses an invalid body, but stores its valid members for another user': storingFor(OTHER),
  }),
  ...yet('404', answered(404), {
    'stored-for-first-user: responds 404 to an update of a missing user, but stores it for the first user':
      storingFor(USER),
    'counts-as-failed-login: An update of a missing user counts as a failed login of the first user.':
      countsLogin(USER),
    'stored-for-last-user: responds 404 to an update of a missing user, but stores it for the last user':
      storingFor(OTHER),
  }),
  ...yet('path-id', all(answered(400), not(isInteger)), {
    'stored-by-parse-int: refuses a path id that is not an integer, but stores the update for the user whose id it begins with':
      when(withId(/^\d/), storing()),
    'stored-for-every-user: An update with a word as id changes every user.': when(withId(/^[a-z]+$/), everyUser),
    'stored-for-rounded-id: refuses a fraction as path id, but stores the update for the user with the nearest id':
      when(withId(/\./), storingFor(OTHER)),
  }),
];

/** Stores the e-mail address of a refused request when that many requests came after it. */
function storingLater(which: Which, requests: number): Behaviour {
  return {
    around: (handle, store) => {
      let count = 0;
      const left: { readonly at: number; readonly act: () => void }[] = [];
      return (request) => {
        count += 1;
        while (left[0] && left[0].at <= count) left.shift()?.act();
        const answer = handle(request);
        const { email } = sentMembers(request);
        if (typeof email === 'string' && which({ request, store, ...answer, count }))
          left.push({
            at: count + requests,
            act: () => changes(USER, { email })({ store }),
          });
        return answer;
      };
    },
  };
}

/** Stores a name before it finds that the e-mail address beside it is invalid, or empty. */
const storesNameFirst: Behaviour = {
  around: (handle, store, rules) => (request) => {
    const { name, email } = sentMembers(request);
    const answer = email === '' ? rules.refuse(400, 'The e-mail address is empty.') : handle(request);
    if (answer.status === 400 && email !== undefined && typeof name === 'string')
      changes(Number(sentId(request)), { name })({ store });
    return answer;
  },
};

const again: Which = ({ count }) => count > 1;

/** What was refused is stored later. Source: Endpoints, PUT user, responses. */
export const laterDefects: readonly WrittenDefect[] = breaking('update.refused-changes-nothing', {
  'refused-email-stored-later: puts an update without the permission into a queue all the same': storingLater(
    all(answered(403), withId(/^1$/)),
    60,
  ),
  'refused-email-leaves-name: stores a name before it finds that the e-mail address beside it is invalid, or empty':
    storesNameFirst,
});

/** Source: Resources, Error body; Errors. */
export const updateErrorsDefects: readonly WrittenDefect[] = [
  ...foreignErrors('malformed-json', 'to a body that is not JSON', 400, sendsNoJson),
  ...foreignErrors('absent-body', 'to a request without a body', 400, sendsNothing),
  ...foreignErrors('non-integer-id', 'to an id that is not an integer', 400, not(isInteger)),
  ...foreignErrors('second-user', 'to an update of one of the users', 403, withId(/^2$/)),
  ...foreignErrors('repeated-request', 'to a request that got a 404 before', 404, again),
];
