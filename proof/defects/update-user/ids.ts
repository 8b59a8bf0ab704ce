import type { ApiResponse, Store } from '../../../reference-server/rules.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking } from '../../table.ts';
import {
  type Answered,
  type Which,
  type WhichRequest,
  all,
  answered,
  sentId,
  sentMembers,
  takenAs,
  toId,
  withId,
} from '../requests.ts';
import { answeredWith, hungUpOn, noContent, refusedWith } from '../responses.ts';
import { USER, isUpdate } from './updates.ts';

/** Matches an update, with a valid body, of a user that does not exist. */
const missing: Which = all(answered(404), isUpdate);

/** Matches requests with the id of a user that does not exist. */
const hasNoUser: WhichRequest = ({ request, store }) =>
  /^\d+$/.test(sentId(request)) && !store.users.has(Number(sentId(request)));

const invalidAndMissing: Which = all(answered(400), isUpdate, hasNoUser);

function create({ request, store }: Answered): ApiResponse {
  const user = { ...sentMembers(request), id: Number(sentId(request)) };
  store.users.set(user.id, user);
  return { status: 200, body: user };
}

/** A response that shows nothing but the id. */
const justId = ({ request }: Answered): ApiResponse => ({ status: 200, body: { id: Number(sentId(request)) } });

const updated = new WeakMap<Store, Set<string>>();

/** Matches every update of a missing user that sends something, but the first. */
const again: Which = (answered) => {
  const { request, store } = answered;
  if (!missing(answered) || Object.keys(sentMembers(request)).length === 0) return false;
  const ids = updated.get(store) ?? new Set();
  updated.set(store, ids);
  const isKnown = ids.has(sentId(request));
  ids.add(sentId(request));
  return isKnown;
};

/** Source: Endpoints, PUT user, 404; Errors, 404. */
export const missingUserDefects: readonly WrittenDefect[] = [
  ...breaking('missing-user.not-found', {
    'missing-user-created: An update of a user that does not exist creates the user.': answeredWith(missing, create),
    'missing-user-is-500: fails on an update of a user that does not exist': refusedWith(missing, 500),
    'missing-user-kills-the-worker: panics on an update of a user that does not exist, and the connection is closed':
      hungUpOn(missing),
    'missing-user-is-first-user: An update of a user that does not exist changes the first user instead.': takenAs(
      all(isUpdate, hasNoUser),
      (request) => toId(request, USER),
    ),
    'missing-user-is-204: responds 204 to an update of a user that does not exist': noContent(missing),
  }),
  ...breaking('missing-user.not-created', {
    'missing-user-conflicts-with-its-remains: An update of a user that does not exist leaves an incomplete user, and the next update conflicts with it.':
      refusedWith(again, 409),
    'missing-user-created-at-second-update: The second update of a user that does not exist creates the user.':
      answeredWith(again, create),
  }),
  ...breaking('request-body.name-type', {
    'missing-user-and-invalid-body-crashes: fails on an invalid body for a user that does not exist, because the validation needs the user':
      refusedWith(invalidAndMissing, 500),
    'missing-user-and-invalid-body-pass: responds 200 to an invalid body for a user that does not exist, and changes no user':
      answeredWith(invalidAndMissing, justId),
  }),
];

/** Matches updates that are refused because of the form of their path id. */
const invalid = (form: RegExp): Which => all(answered(400), isUpdate, withId(form));

const WORD = /^[a-z]+$/;
const JUNK_BEFORE = /^[a-z]+-?\d+$/;
const JUNK_BEHIND = /^\d+-?[a-z]+$/;
const FRACTION = /^\d+\.\d+$/;

const OTHER_STATUSES: Table<readonly [form: RegExp, status: number]> = {
  'word-is-500: fails on a word as id, because its query needs a number': [WORD, 500],
  'fraction-is-500: fails on a fraction as id': [FRACTION, 500],
  'leading-junk-is-500: fails on an id with letters before it': [JUNK_BEFORE, 500],
  'trailing-junk-is-500: fails on an id with letters after it': [JUNK_BEHIND, 500],
  'not-integer-is-422: responds 422 to a path id that is not an integer': [/[a-z.]/, 422],
};

/** How path ids are refused; the ids that reach a user are in `every-operation/paths.ts`. Source: Endpoints, PUT user. */
export const pathIdDefects: readonly WrittenDefect[] = [
  ...breaking('path-id.integer', OTHER_STATUSES, 'path-id-*: *', ([form, status]) =>
    refusedWith(invalid(form), status),
  ),
];
