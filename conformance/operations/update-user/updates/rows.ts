import type { Check } from '../../../model/check.ts';
import { REFUSAL_FAILURE_MODES } from '../../negative-check.ts';
import type { InputName } from '../../../resources/inputs.ts';
import type { Scenario } from '../../../model/recording/items.ts';
import { untouchedCheckOf, UNTOUCHED_MEMBERS, UPDATABLE, slugOf } from '../../../resources/user/members.ts';
import {
  CONTROLS,
  EMPTY_BODY,
  OTHER_ID_IN_BODY,
  SEQUENCE,
  SEQUENCE_WITH_ROLE,
  type Subset,
  SUBSETS,
  UPDATE_OTHER_USER,
  WITHOUT_ROLE,
} from '../scenarios.ts';
import { CONCURRENT, REPEATED, UNLISTED } from './sequences.ts';

/** How a check fails that a valid update is accepted. */
export const ACCEPTED_MODES = {
  refused: 'A valid update was refused. Every member of the body is optional; accept each by itself and all together.',
  'wrong-success-status':
    'The response to a valid update has a 2xx status other than 200. Respond with 200 and the updated user.',
  redirected:
    'The response to a valid update is a redirect. Respond under the path of the contract, without a redirect.',
  'server-error': 'The response to a valid update has a 5xx status. The log of the server may say why.',
  'no-response':
    'The connection was closed without a response to a valid update. Respond with 200 and the updated user.',
} as const;

const STALE_MODES = {
  'stale-response':
    'The response to an update does not show the value that was sent. Respond with the user as it is after the update.',
};
const STORED_MODES = {
  'not-stored': 'A later response does not show a value that was sent. Store every member of the body.',
};
const LOST_MODES = {
  removed: 'A member that was not sent is gone from the user. Change only the members in the body.',
  nulled: 'A member that was not sent became null. Change only the members in the body.',
  emptied: 'A member that was not sent became empty. Change only the members in the body.',
  replaced: 'A member that was not sent has another value. Change only the members in the body.',
} as const;
const EMPTY_BODY_MODES = {
  ...LOST_MODES,
  'wrong-status':
    'The response to the body `{}` is neither 200 nor 400. Accept it with 200 and change nothing, or refuse it with 400.',
  'no-response': 'The connection was closed without a response to the body `{}`. Respond with 200 or 400.',
} as const;
const UNTOUCHED_MODES = {
  changed: 'An update changed a member that it cannot send. Leave this member as it was.',
};
const OTHER_USER_MODES = {
  'other-user-changed':
    'An update changed a user whose id was not in the path. Update only the user whose id is in the path.',
};
const CONCURRENT_MODES = {
  ...ACCEPTED_MODES,
  refused:
    'A valid update was refused while others were under way. Let them wait for each other, or respond with 409 or 503.',
  'wrong-status': 'The response to one of several concurrent updates is neither 200 nor 409, 423, 429 or 503.',
} as const;
const REVERTED = {
  reverted:
    'An update reverted what an earlier one had stored. Start each update from what is stored now, not from an older copy.',
};

/** A check without what all checks of an update have in common; the default level is `must`. */
interface Row
  extends Pick<Check, 'id' | 'title' | 'failureModes' | 'parts' | 'alongside'>, Partial<Pick<Check, 'level'>> {
  readonly requirement: string | readonly string[];
  readonly uses: readonly Scenario[];
  readonly needs?: readonly InputName[];
}

/** A check of what an update does. */
export function updateCheck({ requirement, uses, needs = [], level = 'must', ...given }: Row): Check {
  return {
    ...given,
    area: 'update',
    level,
    requirements: [requirement].flat(),
    operations: ['updateUser'],
    needs: [...new Set([...needs, ...uses.flatMap((scenario) => scenario.needs)])],
    uses,
  };
}

/** Checks that judge the same and fail in the same ways, by `id: title`. */
function rows(
  requirement: Row['requirement'],
  failureModes: Row['failureModes'],
  table: Readonly<Record<string, Omit<Row, 'id' | 'title' | 'requirement' | 'failureModes'>>>,
): Check[] {
  return Object.entries(table).map(([key, row]) => {
    const [, id = '', title = ''] = /^(.*?): (.*)$/.exec(key) ?? [];
    return updateCheck({ id, title, requirement, failureModes, ...row });
  });
}

function ofSubset({ id, members, scenario }: Subset): Check[] {
  const words = members.map((member) => `\`${member}\``).join(' and ');
  const uses = [scenario];
  return [
    ...rows(['update.success-is-200', 'update.fields-optional'], ACCEPTED_MODES, {
      [`update-${id}-accepted: An update with ${words} and nothing else gets the response 200`]: { uses },
    }),
    ...rows('update.answer-shows-user', STALE_MODES, {
      [`update-${id}-shown: The response to an update with ${words} shows what was sent`]: { uses, parts: members },
    }),
    ...rows('update.sent-fields-change', STORED_MODES, {
      [`update-${id}-stored: Later responses show what an update with ${words} sent`]: {
        uses,
        // A value that was stored before may be taken for one that is stored still.
        alongside: [REPEATED],
        parts: members,
      },
    }),
    ...UPDATABLE.filter((member) => !members.includes(member)).flatMap((member) =>
      rows('update.unsent-fields-keep', LOST_MODES, {
        [`update-${id}-keeps-${slugOf(member)}: An update with ${words} leaves \`${member}\` as it was`]: {
          uses,
          // What an update loses may show only in the response to the next one, of another kind.
          alongside: [...SUBSETS.map((each) => each.scenario), REPEATED],
        },
      }),
    ),
  ];
}

const NAME_AND_EMAIL = ['name', 'email'];
const OTHER_USER = { uses: [UPDATE_OTHER_USER] };

/** Source: What the service does, 1; Endpoints, PUT user, request body and rule; RFC 9110, 9.2.2 (idempotent methods). */
export const updateRows: readonly Check[] = [
  ...SUBSETS.flatMap(ofSubset),
  ...rows('update.earlier-updates-keep', REVERTED, {
    'update-second-keeps-first: A second update keeps what the first one stored': { uses: [SEQUENCE] },
    'update-second-keeps-role: Updates of name and e-mail keep a role that was stored before, and the reverse': {
      uses: [SEQUENCE_WITH_ROLE],
    },
  }),
  ...rows('update.empty-body-changes-nothing', EMPTY_BODY_MODES, {
    'update-empty-body: The body `{}` gets the response 200 or 400 and changes nothing': {
      uses: [EMPTY_BODY],
      parts: ['', ...NAME_AND_EMAIL],
    },
  }),
  ...rows('update.addressed-user-only', OTHER_USER_MODES, {
    'update-spares-other-user: An update of one user leaves the other user as it was': {
      uses: WITHOUT_ROLE,
      needs: ['otherUserId'],
    },
    'update-body-id-spares-other-user: An `id` in the body does not make the update reach another user': {
      uses: [OTHER_ID_IN_BODY],
    },
    'update-other-user-spares-user: An update of the other user leaves the first user as it was': OTHER_USER,
  }),
  ...rows('update.sent-fields-change', STORED_MODES, {
    'update-other-user-stored: An update of the other user changes the other user': {
      uses: [UPDATE_OTHER_USER, CONTROLS.nameAndEmail.traffic],
      parts: NAME_AND_EMAIL,
    },
  }),
  ...rows('update.answer-shows-user', STALE_MODES, {
    'update-other-user-shown: The response to an update of the other user shows what was sent': {
      ...OTHER_USER,
      parts: NAME_AND_EMAIL,
    },
  }),
  ...rows('update.unsent-fields-keep', LOST_MODES, {
    'update-other-user-keeps-role: An update of the other user with `name` and `email` leaves its `rootRole` as it was':
      OTHER_USER,
  }),
  ...UNTOUCHED_MEMBERS.flatMap((member) =>
    rows('update.other-members-keep', UNTOUCHED_MODES, {
      [`${untouchedCheckOf(member)}: Updates leave \`${member}\` as it was`]: { alongside: 'all', uses: WITHOUT_ROLE },
    }),
  ),
  ...rows('update.success-is-200', ACCEPTED_MODES, {
    'update-always-200: Every valid update of the run gets the response 200': {
      alongside: 'all',
      uses: [CONTROLS.name.traffic],
    },
  }),
  updateCheck({
    id: 'update-unlisted-members',
    level: 'should',
    requirement: 'update.unlisted-members',
    title: 'An update does not apply members of a user that the request schema does not list',
    uses: [UNLISTED],
    failureModes: {
      applied:
        'An update stored a member that clients cannot set. Take only `name`, `email` and `rootRole` from the body.',
      'wrong-status':
        'The update was neither accepted with 200 nor refused with 400. Ignore the members, or refuse them with 400.',
      'no-response': 'The connection was closed without a response. Ignore the members, or refuse them with 400.',
    },
  }),
  updateCheck({
    id: 'update-repeated',
    level: 'should',
    requirement: 'update.repeatable',
    title: 'An update with values that the user has already gets the response 200 and leaves the user as it is',
    uses: [REPEATED],
    parts: ['', 'stored'],
    failureModes: {
      refused:
        'An update with values that the user has already was refused. Accept them, including its own e-mail address.',
      changed: 'An update with values that the user has already changed something. It must leave the user as it is.',
      'no-response':
        'The connection was closed without a response to a repeated update. Respond with 200 and the user.',
    },
  }),
  updateCheck({
    id: 'update-partly-repeated',
    level: 'should',
    requirement: 'update.repeatable',
    title:
      'An update with a new value beside one that the user has already, or with earlier values, gets the response 200',
    uses: [REPEATED],
    failureModes: {
      ...ACCEPTED_MODES,
      refused:
        'An update was refused for a value that the user has already, or had before. Compare with what other users have.',
      changed: 'An update changed a value that the user had already, and that was sent again. Leave it as it is.',
    },
  }),
  updateCheck({
    id: 'update-concurrent-fields',
    level: 'should',
    requirement: 'update.concurrent-fields',
    title: 'Of concurrent updates of one user, each member that was sent is stored',
    uses: [CONCURRENT],
    parts: ['user.name', 'user.email'],
    failureModes: {
      ...CONCURRENT_MODES,
      'lost-update':
        'Of two concurrent updates, one reverted what the other had stored. Write only the members that were sent, or lock the user from reading to writing.',
    },
  }),
  updateCheck({
    id: 'update-concurrent-users',
    level: 'should',
    requirement: 'update.concurrent-users',
    title: 'Concurrent updates of two users each store what was sent for their user',
    uses: [CONCURRENT],
    needs: ['otherUserId'],
    parts: ['user.name', 'user.email', 'other-user.name', 'other-user.email'],
    failureModes: {
      ...CONCURRENT_MODES,
      'cross-user-mix':
        'After concurrent updates of two users, a user does not have the values that were sent for it. Keep the data of a request where no other request can reach it.',
    },
  }),
  updateCheck({
    id: 'update-concurrent-refused',
    level: 'should',
    requirement: 'update.concurrent-refusals',
    title: 'A request that must be refused is refused beside concurrent updates as well, and undoes none of them',
    uses: [CONCURRENT, CONTROLS.email.traffic],
    failureModes: {
      ...REFUSAL_FAILURE_MODES,
      'changed-user':
        'A request that was refused beside concurrent updates changed the user. Undo only what the refused request did.',
      'other-user-changed':
        'A request that was refused beside concurrent updates changed another user. Undo only what the refused request did.',
    },
  }),
];
