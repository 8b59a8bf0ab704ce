import { isRecord } from '../../common/json.ts';

/** One step into a JSON value: a member's name, or every element of an array. */
export type Step = { readonly member: string } | 'each';

/** Whether a value is of a type; an integer is a number, too. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

/** Every value that the steps lead to. */
export function valuesAt(value: unknown, [step, ...rest]: readonly Step[]): unknown[] {
  if (step === undefined) return [value];
  if (step === 'each') return Array.isArray(value) ? value.flatMap((each) => valuesAt(each, rest)) : [];
  return isRecord(value) && Object.hasOwn(value, step.member) ? valuesAt(value[step.member], rest) : [];
}

/** The value with another one in every place that the steps lead to. */
export function replacedAt(
  value: unknown,
  [step, ...rest]: readonly Step[],
  other: (old: unknown) => unknown,
): unknown {
  if (step === undefined) return other(value);
  if (step === 'each')
    return Array.isArray(value) ? value.map((each: unknown) => replacedAt(each, rest, other)) : value;
  if (!isRecord(value) || !Object.hasOwn(value, step.member)) return value;
  return { ...value, [step.member]: replacedAt(value[step.member], rest, other) };
}

/** The steps as a person writes them: `banners[].id`. */
export function stepsText(steps: readonly Step[]): string {
  return steps
    .map((step) => (step === 'each' ? '[]' : `.${step.member}`))
    .join('')
    .replace(/^\./, '');
}
