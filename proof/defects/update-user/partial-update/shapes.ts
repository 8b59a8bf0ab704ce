import { randomUUID } from 'node:crypto';
import { errorName } from '../../../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../../../conformance/target/user.ts';
import { defaultSeed } from '../../../../reference-server/seed.ts';
import type { ApiRequest, ApiResponse } from '../../../../reference-server/rules.ts';
import type { Behaviour } from '../../../behaviour.ts';
import { sentId, sentMembers } from '../../requests.ts';
import { type WhichResponse, answering } from '../../responses.ts';
import { type Members, type Update, type WhichUpdate, sent, updateWhere } from '../updates.ts';

/** The two users that the operator names. */
export const USER = 1;
export const OTHER = 2;

/** The bodies of a valid update, with the names that the ids of the checks use. */
export const SHAPES = ['name', 'email', 'role', 'name-email', 'name-role', 'email-role', 'name-email-role'] as const;
export type Shape = (typeof SHAPES)[number];

export function membersOf(shape: Shape): Updatable[] {
  return UPDATABLE.filter((member) => shape.split('-').includes(shortOf(member)));
}

export function shortOf(member: Updatable): string {
  return member === 'rootRole' ? 'role' : member;
}

export function words(members: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(members.map((member) => `\`${member}\``));
}

export const any: WhichUpdate = () => true;
export const ofOther: WhichUpdate = ({ before }) => before.id === OTHER;
export const withNothing: WhichUpdate = ({ body }) => sent(body).length === 0;
export const withSomething: WhichUpdate = ({ body }) => sent(body).length > 0;

export function withShape(shape: Shape): WhichUpdate {
  return ({ body }) => sent(body).join() === membersOf(shape).join();
}

/** Changes the responses to updates that were carried out. */
export function respondingToUpdates(which: WhichResponse, change: (answer: ApiResponse) => ApiResponse): Behaviour {
  return answering(updateWhere(which), change);
}

/** Responds with another status. */
export function withStatus(status: number): (answer: ApiResponse) => ApiResponse {
  const errorBody = () => ({ id: randomUUID(), name: errorName(status) ?? 'Error', message: 'No.' });
  return (answer) => ({ ...answer, status, ...(status < 400 ? {} : { body: errorBody() }) });
}

/** The members of a request that an update can send. */
export function sends(request: ApiRequest): Updatable[] {
  return sent(sentMembers(request));
}

export const toOther: WhichResponse = ({ request }) => sentId(request) === String(OTHER);

export type Value = (member: Updatable, update: Update) => unknown;

export const DEFAULTS: Readonly<Record<Updatable, unknown>> = {
  name: 'New user',
  email: 'nobody@example.com',
  rootRole: 3,
};

export function firstOf(member: Updatable, { before }: Update): unknown {
  return defaultSeed.users.find(({ id }) => id === before.id)?.[member];
}

/** Gives the members that an update does not send other values. */
export function unsentBecome(value: Value): (update: Update) => Members {
  return (update) =>
    Object.fromEntries(
      UPDATABLE.filter((member) => !(member in update.body)).map((member) => [member, value(member, update)]),
    );
}
