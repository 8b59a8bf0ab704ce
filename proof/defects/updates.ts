import { objectOf } from '../../common/json.ts';
import type { UpdateUser, User } from '../../contract/document.ts';
import { type ApiResponse, Refused } from '../../reference-server/rules.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { breaking, type Defect } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import {
  type Members,
  type Which,
  type WhichRequest,
  aChange,
  all,
  anUpdate,
  any,
  isUpdate,
  sendsText,
  sentId,
  sentMembers,
  takenAs,
  toId,
  withId,
  work,
} from '../servers/requests.ts';
import { adding, answeringWith, changeUser, hungUpOn, showing } from '../servers/responses.ts';
import {
  type Body,
  type Update,
  OTHER,
  USER,
  applying,
  asBefore,
  conflicting,
  refusing,
  sent,
  updating,
  usersWith,
  validValues,
  valuesSent,
  withNothing,
  withOnly,
  withSomething,
} from '../servers/updates.ts';

const [KEEPS, STORED, SHOWN] = ['update.unsent-fields-keep', 'update.sent-fields-change', 'update.answer-shows-user'];
const ACCEPTED = 'update.success-is-200';
const [LATER, IN_RESPONSE] = ['later', 'in the response'] as const;

const NOTHING = { name: undefined, email: undefined, rootRole: undefined };

/** Gives the members that an update does not send other values. */
function unsentBecome(values: Members): (update: Update) => Members {
  return ({ body }) => Object.fromEntries(Object.entries(values).filter(([member]) => !(member in body)));
}

/** Remembers a name that was sent, as a field of a shared object does, and stores it with the next address that comes alone. */
function rememberingName(isRemembered: (body: Body, isValid: boolean) => boolean): Behaviour {
  return {
    replace: (rules) => {
      let last: Body = {};
      return {
        validateUpdate: (value) => {
          const body: Body = objectOf(value);
          const isValid = Object.keys(validValues(body)).length === sent(body).length;
          if (isRemembered(body, isValid)) last = { name: body.name };
          return rules.validateUpdate(value);
        },
        applyUpdate: (store, user, body) => {
          const isAlone = sent(body).join() === 'email';
          const update = isAlone ? ({ ...last, ...body } as UpdateUser) : body;
          if (isAlone) last = {};
          return rules.applyUpdate(store, user, update);
        },
      };
    },
  };
}

/** What an update does not send is lost. Source: What the service does, 1; Endpoints, PUT user, rule. */
export const unsentDefects: readonly Defect[] = [
  ...breaking(KEEPS, {
    'name-update-nulls-email: Updating `name` sets `email` to null': updating(withOnly('name'), { email: null }),
    'email-update-nulls-name: Updating `email` sets `name` to null': updating(withOnly('email'), { name: null }),
    'role-update-resets-email: Updating `rootRole` resets `email`': updating(withOnly('rootRole'), {
      email: 'nobody@example.com',
    }),
    'name-email-update-nulls-role: Updating both texts clears `rootRole`': updating(withOnly('name', 'email'), {
      rootRole: null,
    }),
    'name-role-update-nulls-email: Updating these two clears `email`': updating(withOnly('name', 'rootRole'), {
      email: null,
    }),
    'name-of-any-user-kept: An update of the address stores the name that was sent last, to whichever user':
      rememberingName((body, isValid) => isValid && 'name' in body),
    'update-replaces-user: An update replaces the user': updating(withSomething, unsentBecome(NOTHING)),
    'instance-of-class-assigned: It assigns an instance of a class, whose members are undefined if they were not sent':
      {
        ...updating(any, unsentBecome(NOTHING)),
        ...showing(anUpdate, ({ id, username, createdAt, name, email, rootRole }) => ({
          ...{ id, username, createdAt, name, email, rootRole },
        })),
      },
    'role-of-other-user-reset: Updating `name` and `email` resets the role of any user but the first': updating(
      all(({ before }: Update) => before.id === OTHER, withOnly('name', 'email')),
      { rootRole: 9 },
    ),
  }),
  ...breaking('update.refused-changes-nothing', {
    'refused-name-kept: An update of the address stores the name of the request that was refused before it':
      rememberingName((body, isValid) => !isValid && typeof body.name === 'string'),
  }),
];

/** Lets requests reach two processes in turn, each with users of its own. */
const twoProcesses: Behaviour = {
  around: (handle, { users }) => {
    let others = [...users];
    return (request) => {
      const own = [...users];
      users.clear();
      for (const [id, user] of others) users.set(id, user);
      others = own;
      return handle(request);
    };
  },
};

/** Of requests at the same time, the second one reaches another process; each has a copy of the users that it once read. */
const secondProcess: Behaviour = {
  around: (handle, { users }) => {
    const copies = [[...users], [...users]];
    let open = 0;
    return async (request) => {
      const process = open % copies.length;
      open += 1;
      await work();
      users.clear();
      for (const [id, user] of copies[process] ?? []) users.set(id, user);
      const answer = handle(request);
      copies[process] = [...users];
      open -= 1;
      return answer;
    };
  },
};

/** Keeps events, and a snapshot of each user at every sixteenth; the event behind a snapshot is left out, once there is another one. */
const losingEvents: Behaviour = replacing('applyUpdate', (apply) => {
  const kept = new Map<number, { events: number; user: User }>();
  return (store, user, body) => {
    const { events, user: before } = kept.get(user.id) ?? { events: 0, user };
    const after = apply(store, before, body);
    kept.set(user.id, { events: events + 1, user: events > 0 && events % 16 === 0 ? before : after });
    return after;
  };
});

/** Keeps updates in a cache that every fiftieth request empties, and never writes them. */
const fading: Behaviour = {
  around: (handle, { users }) => {
    const stored = new Map(users);
    let count = 0;
    return (request) => {
      count += 1;
      if (count % 50 === 0) for (const [id, user] of stored) users.set(id, user);
      return handle(request);
    };
  },
};

/** Shows a user for a second as it was at the first update in that second. */
const cached: Behaviour = {
  around: (handle) => {
    const kept = new Map<string, { answer: ApiResponse; until: number }>();
    return (request) => {
      const answer = handle(request);
      if (!isUpdate({ request }) || answer.status !== 200) return answer;
      const now = performance.now();
      const last = kept.get(request.path);
      if (last && last.until > now) return last.answer;
      kept.set(request.path, { answer, until: now + 1000 });
      return answer;
    };
  },
};

/** Starts each update from a copy of the user that the previous one read, and so reverts that one. */
const takingBack: Behaviour = replacing('applyUpdate', (apply) => {
  const copies = new Map<number, User>();
  return (store, user, body) => {
    const after = apply(store, user, body);
    const copy = copies.get(user.id);
    copies.delete(user.id);
    if (sent(body).length === 0) return after;
    copies.set(user.id, user);
    const wrong = copy ? { ...copy, ...valuesSent(body) } : after;
    store.users.set(user.id, wrong);
    return wrong;
  };
});

/** Accepts every 23rd update as the others, and does not store it. */
const ignoredNowAndThen: Behaviour = replacing('applyUpdate', (apply) => {
  let valid = 0;
  return (store, user, body) => ((valid += 1) % 23 === 0 ? user : apply(store, user, body));
});

/** What an update sends is not stored, not shown, or undone by the next one. */
export const sentDefects: readonly Defect[] = [
  ...breaking(STORED, {
    'third-role-not-stored: Of three roles, the third one is not stored': [
      updating(
        ({ body }) => body.rootRole === 3,
        ({ before: { rootRole } }) => ({ rootRole }),
      ),
      { roleIds: [1, 2, 3] },
    ],
    'name-after-email-not-stored: A name that comes after an address is not stored': updating(
      ({ body }) => Object.keys(body).join() === 'email,name',
      ({ before: { name } }) => ({ name }),
    ),
    'name-update-not-stored: An update of `name` is not stored': updating(withOnly('name'), asBefore, LATER),
    'update-echoes-only: It echoes every update and stores none': updating(withSomething, asBefore, LATER),
    'processes-share-no-users: Requests reach two processes in turn, each with its own users': twoProcesses,
    'processes-keep-copies: A second process takes what comes meanwhile, and has a copy of the users': secondProcess,
    'update-ignored-now-and-then: Every 23rd update is accepted and not stored': ignoredNowAndThen,
    'user-cached-for-a-second: A cache shows a user for a second as it was': cached,
    'updates-fade: Every fiftieth request empties a cache of updates that were never written': fading,
  }),
  // What is lost now and then may be a concurrent update.
  ...breaking([STORED, 'update.concurrent-users'], {
    'event-behind-snapshot-lost: Of the events of a user, every sixteenth is not read again': losingEvents,
  }),
  ...breaking(SHOWN, {
    'role-update-answered-with-old-user: The response to an update of `rootRole` shows the user as it was before':
      updating(withOnly('rootRole'), asBefore, IN_RESPONSE),
    'update-answers-with-old-user: The response to an update shows the user as it was before': updating(
      withSomething,
      asBefore,
      IN_RESPONSE,
    ),
  }),
  ...breaking([STORED, SHOWN], {
    'email-shown-masked: Responses show an address with most of its characters hidden': adding(
      anUpdate,
      ({ email }) => ({ email: email?.replace(/(?<=.).*(?=@)/, '***') }),
    ),
  }),
  ...breaking(['update.earlier-updates-keep', KEEPS], {
    'update-starts-from-stale-copy: An update starts from a stale copy and so reverts the update right before it':
      takingBack,
  }),
];

/** Matches a request that sends this member alone. */
const only = (member: string): WhichRequest => sendsText(new RegExp(`^\\{"${member}":[^,]*\\}$`));
const onlyWith = (status: number, member: string): Behaviour => answeringWith(all(anUpdate, only(member)), status);
const every23rd: Which = all(aChange, ({ count }) => count % 23 === 0);
const of = (id: number): Which => all(aChange, withId(new RegExp(`^${id}$`)));

/** Refuses an update right after another one of the same user. */
const refusingTheNext: Behaviour = replacing('applyUpdate', (apply) => {
  const last = new Map<number, boolean>();
  return (store, user, body) => {
    const isConflict = last.get(user.id) === true && sent(body).length > 0;
    last.set(user.id, !isConflict && sent(body).length > 0);
    if (isConflict) throw new Refused(409, 'The user was changed in the meantime.');
    return apply(store, user, body);
  };
});

/** A valid update is not responded to with 200. */
export const acceptanceDefects: readonly Defect[] = [
  ...breaking([ACCEPTED, 'update.fields-optional'], {
    'role-update-refused: An update of only `rootRole` gets 400': onlyWith(400, 'rootRole'),
    'name-update-answered-500: It fails on an update of only `name`': onlyWith(500, 'name'),
    'email-update-answered-202: An update of only `email` gets 202': onlyWith(202, 'email'),
    'role-update-answered-201: An update of only `rootRole` gets 201': onlyWith(201, 'rootRole'),
    'name-update-hung-up-on: It closes the connection instead of responding to an update of only `name`': hungUpOn(
      all(anUpdate, only('name')),
    ),
  }),
  ...breaking('update.fields-optional', {
    'stored-address-judged-again: A user whose stored address breaks the rule of today cannot be renamed': {
      ...usersWith(({ username }) => ({ email: `${username ?? ''}@localhost` })),
      ...conflicting(({ email }, user) => !/\.[a-z]+$/.test(email ?? user.email ?? ''), 400),
    },
  }),
  ...breaking(ACCEPTED, {
    'third-role-fails: It fails on the third of three roles': [
      refusing(({ rootRole }) => rootRole === 3, 500),
      { roleIds: [1, 2, 3] },
    ],
    'updates-answered-503: Each update gets 503, while the list works': answeringWith(anUpdate, 503),
    'every-update-answered-201: Every update gets 201': answeringWith(aChange, 201),
    'every-update-of-first-user-fails: It fails on each update of the first user': answeringWith(of(USER), 500),
    'update-of-other-user-fails: It fails on every update of the second user': answeringWith(of(OTHER), 500),
    'valid-update-fails-now-and-then: It fails on every 23rd update': answeringWith(every23rd, 500),
    'second-update-in-a-row-conflicts: An update right after another of the same user gets 409': refusingTheNext,
  }),
];

const emptyUpdate: Which = all(anUpdate, sendsText(/^\{\}$/));

/** The body `{}` does something. */
export const emptyBodyDefects: readonly Defect[] = breaking('update.empty-body-changes-nothing', {
  'empty-body-nulls-name: The body `{}` sets `name` to null': updating(withNothing, { name: null }),
  'empty-body-answered-201: The body `{}` gets 201': answeringWith(emptyUpdate, 201),
  'empty-body-answered-500: It fails on the body `{}`': answeringWith(emptyUpdate, 500),
  'empty-body-hung-up-on: It closes the connection instead of responding to the body `{}`': hungUpOn(emptyUpdate),
  'update-does-not-renew-cache: The response to `{}` shows the user as it was when the server started': updating(
    withNothing,
    ({ before: { id } }) => ({ ...defaultSeed.users.find((each) => each.id === id) }),
    IN_RESPONSE,
  ),
});

/** Stores what an update sends for every user. */
const forAll = applying(({ body, after, store }) => {
  for (const id of store.users.keys()) changeUser(store, id, valuesSent(body));
  return after;
});

const idIn = (body: Members): number | undefined => (typeof body.id === 'number' ? body.id : undefined);

/** An update concerns another user than the one in the path. */
export const otherUserDefects: readonly Defect[] = [
  ...breaking('update.addressed-user-only', {
    'update-changes-all-users: An update changes every user': forAll,
  }),
  ...breaking(['update.addressed-user-only', 'update.id-matches-path'], {
    'id-in-query-counts: It takes the id from the query, if there is one': takenAs(any, (request) =>
      toId(request, new URLSearchParams(request.query).get('id') ?? sentId(request)),
    ),
    'id-in-body-counts: It takes the id from the body, if there is one, and responds with that user': takenAs(
      any,
      (request) => toId(request, idIn(sentMembers(request)) ?? sentId(request)),
    ),
  }),
];

const SIX_HOURS_MS = 6 * 3_600_000;

/** An update changes members that it cannot send. */
export const otherMemberDefects: readonly Defect[] = breaking('update.other-members-keep', {
  'update-username-follows-name: A new name becomes the username, too': updating(
    ({ body }) => 'name' in body,
    ({ after: { name } }) => ({ username: name }),
  ),
  'update-username-nulled-in-answer: The response to an update shows null as username': updating(
    withSomething,
    { username: null },
    IN_RESPONSE,
  ),
  'update-account-type-becomes-service-account: An update with an API key turns the user into a service account':
    updating(withSomething, { accountType: 'Service Account' }),
  'update-counted-as-failed-login: An update counts as a failed login': updating(
    withSomething,
    ({ before: { loginAttempts = 0 } }) => ({ loginAttempts: loginAttempts + 1 }),
  ),
  'every-save-counts-a-login: Each update, `{}` too, counts as a failed login, and creates the user anew': updating(
    () => true,
    ({ before: { loginAttempts = 0 } }) => ({
      loginAttempts: loginAttempts + 1,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, loginAttempts)).toISOString(),
    }),
  ),
  'update-resets-login-attempts: An update sets the count of failed logins back': {
    ...usersWith({ loginAttempts: 3 }),
    ...updating(withSomething, { loginAttempts: 0 }),
  },
  'update-moves-creation-time: Each update, `{}` too, reads `createdAt` in one time zone and writes it in another':
    updating(
      () => true,
      ({ before: { createdAt = '' } }) => ({ createdAt: new Date(Date.parse(createdAt) - SIX_HOURS_MS).toISOString() }),
    ),
  'update-creation-time-of-response: A response shows the time when it was made as `createdAt`': adding(
    anUpdate,
    (_user, { count }) => ({
      createdAt: new Date(Date.UTC(2026, 0, 1) + count).toISOString(),
    }),
  ),
});
