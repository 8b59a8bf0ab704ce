import { randomUUID } from 'node:crypto';
import { errorName } from '../../../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../../../conformance/resources/user/members.ts';
import type { Around, Which } from '../../requests.ts';
import { answering } from '../../responses.ts';
import { type Body, type WhichUpdate, sent } from '../updates.ts';

/** The bodies of a valid update, with the names that the ids of the checks use. */
export const SHAPES = ['name', 'email', 'role', 'name-email', 'name-role', 'email-role', 'name-email-role'] as const;
export type Shape = (typeof SHAPES)[number];

export function membersOf(shape: Shape): Updatable[] {
  return UPDATABLE.filter((member) => shape.split('-').includes(shortOf(member)));
}

/** Whether a body has just these members. */
export function isOf(shape: Shape, body: Body): boolean {
  return sent(body).join() === membersOf(shape).join();
}

export function withShape(shape: Shape): WhichUpdate {
  return ({ body }) => isOf(shape, body);
}

export function shortOf(member: Updatable): string {
  return member === 'rootRole' ? 'role' : member;
}

/** The members of a body, in words. */
export function words(shape: Shape): string {
  return new Intl.ListFormat('en-GB').format(membersOf(shape).map((member) => `\`${member}\``));
}

/** Responds with another status. */
export function responding(which: Which, status: number): Around {
  const errorBody = () => ({ id: randomUUID(), name: errorName(status) ?? 'Error', message: 'No.' });
  return answering(which, (answer) => ({ ...answer, status, ...(status < 400 ? {} : { body: errorBody() }) }));
}

export const DEFAULTS: Readonly<Record<Updatable, unknown>> = {
  name: 'New user',
  email: 'nobody@example.com',
  rootRole: 3,
};
