import { isDeepStrictEqual } from 'node:util';
import { type WhichRequest, sentMembers } from '../requests.ts';

export type Test = (value: unknown) => boolean;

export const TYPES = ['number', 'boolean', 'array', 'object', 'null'] as const;
export type TypeName = (typeof TYPES)[number] | 'string';

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export const isA =
  (...types: readonly TypeName[]): Test =>
  (value) =>
    types.some((type) => type === typeOf(value));
export const is =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.some((each) => isDeepStrictEqual(each, value));

/** Matches requests with a member of a type. */
export function sendsA(type: TypeName, member: string): WhichRequest {
  return ({ request }) => typeOf(sentMembers(request)[member]) === type;
}

export function a(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
