import { readFileSync } from 'node:fs';
import {
  baseUrlProblem,
  DEFAULT_EMAIL_DOMAIN,
  domainProblem,
  idProblem,
  INPUT_HELP,
  inputsProblem,
  keyProblem,
  type BaseUrlProblem,
  type InputName,
  type Inputs,
} from '../../conformance/target/inputs.ts';
import { DEFAULT_LIMITS, type Limits } from '../../conformance/http/limits.ts';
import { wrap } from '../../conformance/report/paint.ts';
import { nameOf, UsageError, wholeNumber, type OptionDefinitions, type ParsedArguments } from '../../common/args.ts';

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that describe a target, shared by the commands that need one. */
export const TARGET_OPTIONS = {
  'admin-key-file': { type: 'string' },
  'restricted-key-file': { type: 'string' },
  'user-id': { type: 'string' },
  'other-user-id': { type: 'string' },
  'missing-user-id': { type: 'string' },
  'role-ids': { type: 'string' },
  'banner-ids': { type: 'string' },
  'email-domain': { type: 'string' },
} as const satisfies OptionDefinitions;

/** The options that bound a run. */
export const LIMIT_OPTIONS = {
  timeout: { type: 'string' },
  deadline: { type: 'string' },
  'max-body': { type: 'string' },
  concurrency: { type: 'string' },
} as const satisfies OptionDefinitions;

/** A setting as a text. */
export interface Given {
  /** Where it was given, for error messages. */
  readonly name: string;
  readonly text: string;
}

/** Reads a file that an option names, with one clear line if that fails. */
export function readGivenFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'this is a folder' : (error as Error).message;
    throw new UsageError(`${option} ${path}: ${why}.`.trimStart());
  }
}

function givenFor(
  parsed: ParsedArguments,
  environment: Environment,
  option: string,
  variable: string,
): Given | undefined {
  const flag = parsed.values[option];
  if (typeof flag === 'string') return { name: nameOf(parsed, option), text: flag };
  const text = environment[variable];
  return text === undefined || text === '' ? undefined : { name: variable, text };
}

function parseKey(name: string, text: string): string {
  const key = text.replace(/\r?\n$/, '');
  const problem = keyProblem(key);
  if (problem !== undefined) throw new UsageError(`${name}: the key ${problem}.`);
  return key;
}

function keyFrom(
  parsed: ParsedArguments,
  environment: Environment,
  name: 'admin-key' | 'restricted-key',
): string | undefined {
  const variable = name === 'admin-key' ? INPUT_HELP.adminKey.variable : INPUT_HELP.restrictedKey.variable;
  const file = parsed.values[`${name}-file`];
  const option = nameOf(parsed, `${name}-file`);
  if (typeof file === 'string') return parseKey(`${option} ${file}`, readGivenFile(option, file));
  const text = environment[variable];
  return text === undefined || text === '' ? undefined : parseKey(variable, text);
}

/** Reads the id of a user. */
export function parseId({ name, text }: Given): string {
  const problem = idProblem(text);
  if (problem !== undefined) throw new UsageError(`${name}: ${problem}`);
  return text;
}

/** Reads JSON values with commas between, each once. */
export function parseJsonList({ name, text }: Given, least: number): unknown[] {
  let list: unknown[];
  try {
    list = JSON.parse(`[${text}]`) as unknown[];
  } catch {
    throw new UsageError(
      `${name}: ${JSON.stringify(text)} is no list of JSON values; write for example 1,2 or '"Admin","Editor"'.`,
    );
  }
  const [only] = list;
  if (list.length === 1 && Array.isArray(only)) {
    throw new UsageError(`${name}: write the values without brackets around them: ${text.trim().slice(1, -1)}.`);
  }
  const distinct = new Set(list.map((value) => JSON.stringify(value)));
  if (distinct.size < least || distinct.size < list.length) {
    throw new UsageError(
      `${name}: give at least ${least} ${least === 1 ? 'value' : 'values'}, each once; got ${text}.`,
    );
  }
  return list;
}

/** Reads the domain of e-mail addresses. */
export function parseDomain({ name, text }: Given): string {
  const problem = domainProblem(text);
  if (problem !== undefined) throw new UsageError(`${name}: ${problem}`);
  return text;
}

/** Reads `{base_url}`. */
export function parseBaseUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fault = url ? baseUrlProblem(url) : 'scheme';
  if (url && !fault) return url;
  const problems: Readonly<Record<BaseUrlProblem, string>> = {
    scheme: `${JSON.stringify(text)} is no address; write for example http://localhost:4242.`,
    credentials: 'the address must not carry credentials; set CONFORMANCE_ADMIN_KEY instead.',
    query: 'the address must not have a query or a fragment.',
  };
  throw new UsageError(`${name}: ${problems[fault ?? 'scheme']}`);
}

const OPTIONS_OF_INPUTS: Readonly<Record<Exclude<InputName, 'adminKey' | 'restrictedKey'>, string>> = {
  userId: 'user-id',
  otherUserId: 'other-user-id',
  missingUserId: 'missing-user-id',
  roleIds: 'role-ids',
  bannerIds: 'banner-ids',
};

/**
 * What the operator says of the target, but for its address: flags before environment. What a configuration file says
 * stands among the flags, where neither says otherwise (`withConfiguration`).
 */
export function parseTarget(parsed: ParsedArguments, environment: Environment): Omit<Inputs, 'baseUrl'> {
  const given = (input: keyof typeof OPTIONS_OF_INPUTS): Given | undefined =>
    givenFor(parsed, environment, OPTIONS_OF_INPUTS[input], INPUT_HELP[input].variable);
  const idOf = (input: 'userId' | 'otherUserId' | 'missingUserId'): string | undefined => {
    const found = given(input);
    return found && parseId(found);
  };
  const roles = given('roleIds');
  const banners = given('bannerIds');
  const domain = givenFor(parsed, environment, 'email-domain', 'CONFORMANCE_EMAIL_DOMAIN');
  const told = {
    adminKey: keyFrom(parsed, environment, 'admin-key'),
    restrictedKey: keyFrom(parsed, environment, 'restricted-key'),
    userId: idOf('userId'),
    otherUserId: idOf('otherUserId'),
    missingUserId: idOf('missingUserId'),
    roleIds: roles && parseJsonList(roles, 2),
    bannerIds: banners && parseJsonList(banners, 1),
  };
  const present = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  const target = { ...present, emailDomain: domain ? parseDomain(domain) : DEFAULT_EMAIL_DOMAIN };
  const problem = inputsProblem({ ...target, baseUrl: new URL('http://localhost') });
  if (problem !== undefined) throw new UsageError(problem);
  return target;
}

const MOST_MS = 86_400_000;

/** The largest value of each limit; the least is 1. */
export const MOST: Readonly<Record<keyof typeof LIMIT_OPTIONS, number>> = {
  timeout: MOST_MS,
  deadline: MOST_MS,
  'max-body': 1_073_741_824,
  concurrency: 64,
};

/** The limits that differ from the defaults. */
export function parseLimits(parsed: ParsedArguments): Partial<Limits> {
  const number = (option: keyof typeof LIMIT_OPTIONS): number | undefined => {
    const text = parsed.values[option];
    return typeof text === 'string' ? wholeNumber(nameOf(parsed, option), text, 1, MOST[option]) : undefined;
  };
  const limits = {
    timeout: number('timeout'),
    deadline: number('deadline'),
    maxBody: number('max-body'),
    concurrency: number('concurrency'),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function inputHelp(name: InputName): string {
  const { option, variable, meaning } = INPUT_HELP[name];
  return `  ${option.padEnd(28)}${variable}\n${wrap(meaning, 80, ' '.repeat(30))}`;
}

/** The part of `--help` on the target. */
export const TARGET_HELP = `What the target is (flag, environment variable):
${(Object.keys(INPUT_HELP) as InputName[]).map(inputHelp).join('\n')}
  --email-domain DOMAIN       CONFORMANCE_EMAIL_DOMAIN
                              domain of the addresses sent (${DEFAULT_EMAIL_DOMAIN})`;

/** The part of `--help` on the limits. */
export const LIMIT_HELP = `Limits:
  --timeout MS                one request, to the last byte (${DEFAULT_LIMITS.timeout})
  --deadline MS               the whole run (${DEFAULT_LIMITS.deadline})
  --max-body BYTES            one answer (${DEFAULT_LIMITS.maxBody})
  --concurrency N             requests under way at once (${DEFAULT_LIMITS.concurrency})`;
