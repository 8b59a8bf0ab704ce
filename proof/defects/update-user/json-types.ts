import { isDeepStrictEqual } from 'node:util';

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

export function a(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
