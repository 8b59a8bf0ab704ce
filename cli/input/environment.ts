import { baseAddress, type Inputs } from '../../conformance/target/inputs.ts';
import { TARGET_SETTINGS } from './settings.ts';

/** The value of an input as the text of its environment variable; an empty list has none. */
function variableText(value: unknown): string | undefined {
  if (value instanceof URL) return baseAddress(value);
  if (!Array.isArray(value)) return value as string | undefined;
  return value.length === 0 ? undefined : value.map((each) => JSON.stringify(each)).join(',');
}

/** The environment variables that say the same of a target as these inputs. What is a default is left out. */
export function environmentOf(inputs: Partial<Inputs>): Record<string, string> {
  const variables = TARGET_SETTINGS.map(({ input, variable = '', default: fallback }) => {
    const value = input === undefined || inputs[input] === fallback ? undefined : inputs[input];
    return [variable, variableText(value)] as const;
  });
  return Object.fromEntries(variables.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function quoted(text: string): string {
  return /^[\w.,:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The lines that set these variables in a shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
}
