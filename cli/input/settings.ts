import { X509Certificate } from 'node:crypto';
import { LEVELS } from '../../contract/document.ts';
import {
  nameOf,
  readGivenFile,
  UsageError,
  type Environment,
  type ParsedArguments,
} from '../../common/process/args.ts';
import { capitalized } from '../../common/text.ts';
import { shellWord } from '../../conformance/http/curl.ts';
import { DEFAULT_LIMITS, type Limits } from '../../conformance/http/policy/limits.ts';
import { proxyOf, type Route } from '../../conformance/http/transport/route.ts';
import {
  baseAddress,
  DEFAULT_EMAIL_DOMAIN,
  INPUT_HELP,
  inputsProblem,
  type InputName,
  type Inputs,
} from '../../conformance/resources/inputs.ts';
import * as kinds from './kinds.ts';
import { optionHelp, optionName, type Option } from './options.ts';

/** The file that is used without being named. */
export const DEFAULT_CONFIGURATION = 'conformance.yaml';

const GROUPS = {
  target: 'Target',
  selection: 'Selection and verdict',
  exploration: 'Exploration',
  output: 'Output',
  limits: 'Limits',
  fleet: 'Fleet',
  file: 'Configuration file',
} as const;

interface Grouped extends Option {
  readonly group: keyof typeof GROUPS;
}

/** A setting that an option, a configuration file and possibly an environment variable give. */
export interface Setting<T = unknown> extends Grouped {
  readonly kind: kinds.Kind<T>;
  /** More about it, in whole sentences. */
  readonly note?: string;
  /** As the configuration file has it. */
  readonly example?: unknown;
  /** What it says of the target. */
  readonly input?: keyof Inputs;
  /** Whether some checks cannot run without it, so that `init` asks for it. */
  readonly needed?: true;
}

const MOST_MS = 86_400_000;
/** The default of `--explore`. */
export const DEFAULT_SEQUENCES = 30;

function setting<T, const More extends Partial<Setting<T>>>(
  group: keyof typeof GROUPS,
  flag: string,
  meaning: string,
  kind: kinds.Kind<T>,
  more: More,
) {
  return { group, flag, meaning, kind, ...more };
}

const EXPLORE = `also try N random sequences of updates (${DEFAULT_SEQUENCES}) and shorten the first that fails`;
const REPORT = `also write a report to a file: ${kinds.FILE_FORMATS.join(', ')}`;
const JOURNAL = "where to keep the users' values until they are restored (a temporary file)";
const { timeout, deadline, maxBody, concurrency } = DEFAULT_LIMITS;
const formats = kinds.word<'pretty' | 'json'>(['pretty', 'json']);

/** The settings that the code reads by their names, which are those in a configuration file. */
export const OWN_SETTINGS = {
  baseUrl: setting(
    'target',
    'BASE_URL',
    'the address of the target: what {baseUrl} of the contract stands for',
    kinds.address,
    {
      variable: 'CONFORMANCE_BASE_URL',
      note: 'It is what comes before /api/admin. There is no default.',
      example: 'http://localhost:4242',
      input: 'baseUrl',
      needed: true,
    },
  ),
  ca: setting('target', '--ca FILE', 'certificates in PEM to trust beside those of Node', kinds.path, {
    example: 'authority.pem',
  }),
  emailDomain: setting(
    'target',
    '--email-domain DOMAIN',
    'the domain of the e-mail addresses that the suite sends',
    kinds.domain,
    { variable: 'CONFORMANCE_EMAIL_DOMAIN', default: DEFAULT_EMAIL_DOMAIN, input: 'emailDomain' },
  ),
  only: setting(
    'selection',
    '--only A,B',
    'judge only these: ids or globs of checks, requirements, areas, levels or operations',
    kinds.names,
    { multiple: true, example: ['update-name-stored'] },
  ),
  skip: setting('selection', '--skip A,B', 'leave these out', kinds.names, {
    multiple: true,
    example: ['permission-*'],
  }),
  failOn: setting(
    'selection',
    '--fail-on must|should',
    'the lowest level whose failure fails the run',
    kinds.word(LEVELS),
    { note: 'One of must, should.', default: 'must' },
  ),
  baseline: setting('selection', '--baseline FILE', 'the known failures, each with a reason', kinds.path, {
    note: '"baseline write" writes this file.',
    example: 'baseline.json',
  }),
  explore: setting('exploration', '--explore[=N]', EXPLORE, kinds.number(10_000), { example: DEFAULT_SEQUENCES }),
  format: setting('output', '--format pretty|json', 'what to print on stdout', formats, {
    note: 'One of pretty, json.',
    default: 'pretty',
  }),
  reports: setting('output', '--report FORMAT=PATH', REPORT, kinds.reports, {
    multiple: true,
    example: { json: 'result.json' },
  }),
  journal: setting('output', '--journal FILE', JOURNAL, kinds.path, { example: 'journal.json' }),
  wait: setting(
    'limits',
    '--wait SECONDS',
    'seconds to wait until the target responds with something else than 502 and 503, before the run begins',
    kinds.number(86_400),
    { example: 30 },
  ),
  settle: setting(
    'limits',
    '--settle MS',
    'milliseconds to wait before the users are read for the last time',
    kinds.number(MOST_MS),
    { note: 'For targets that store only later what they accepted.', example: 2000 },
  ),
  timeout: setting('limits', '--timeout MS', 'milliseconds for one request, to the last byte', kinds.number(MOST_MS), {
    default: timeout,
  }),
  deadline: setting('limits', '--deadline MS', 'milliseconds for the whole run', kinds.number(MOST_MS), {
    default: deadline,
  }),
  maxBody: setting('limits', '--max-body BYTES', 'the largest response body, in bytes', kinds.number(1_073_741_824), {
    default: maxBody,
  }),
  concurrency: setting('limits', '--concurrency N', 'the most concurrent requests', kinds.number(64), {
    default: concurrency,
  }),
} as const satisfies Readonly<Record<string, Setting>>;

function inputSetting(input: InputName): [name: string, Setting] {
  const help: (typeof INPUT_HELP)[InputName] & { readonly note?: string } = INPUT_HELP[input];
  const { option: flag, variable, meaning, example } = help;
  const common = { flag, variable, meaning, example, input, group: 'target' } as const;
  if (help.kind === 'key') {
    const note = `The value is the path of a file with the key. ${variable} overrides it.`;
    return [`${input}File`, { ...common, note, kind: kinds.keyFile }];
  }
  const { note } = help;
  const kind = help.kind === 'id' ? kinds.id : kinds.values(help.least, JSON.stringify(example).replaceAll(',', ', '));
  const isNeeded = input !== 'bannerIds';
  return [
    input,
    { ...common, kind, ...(note === undefined ? {} : { note }), ...(isNeeded ? { needed: true as const } : {}) },
  ];
}

const { baseUrl, ...otherSettings } = OWN_SETTINGS;

/** Every setting by its name in a configuration file: the options of `run` but those that only one run needs. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  baseUrl,
  ...Object.fromEntries((Object.keys(INPUT_HELP) as InputName[]).map(inputSetting)),
  ...otherSettings,
};

/** The options that say what the target is. */
export const TARGET_SETTINGS = Object.values(SETTINGS).filter(({ input }) => input !== undefined);

/** The options of `run` that only one run needs. */
export const RUN_ONLY = {
  reference: { flag: '--reference', group: 'target', meaning: 'judge the embedded reference server, on a free port' },
  server: {
    flag: '--server COMMAND',
    group: 'target',
    meaning: 'start the target with this command line, wait for it (60 s, or --wait), and end all its processes',
  },
  takeOver: {
    flag: '--take-over',
    group: 'target',
    meaning: 'judge although another run seems to use these users; the values that they have now are restored',
  },
  insecure: {
    flag: '--insecure',
    group: 'target',
    meaning: 'trust every certificate; anybody on the way can then read the keys',
  },
  again: {
    flag: '--again RESULT',
    group: 'selection',
    meaning:
      'look again for the findings of an earlier JSON result, in place of --only; at its address and with its ids, unless others are given',
  },
  seed: { flag: '--seed S', group: 'exploration', meaning: 'repeat the sequences of an earlier exploration' },
  quiet: { flag: '--quiet, -q', group: 'output', meaning: 'print one line for the verdict and one for each finding' },
  verbose: {
    flag: '--verbose, -v',
    group: 'output',
    meaning: 'print the whole report, and every exchange on stderr, without the keys',
  },
  targets: {
    flag: '--targets FILE',
    group: 'fleet',
    meaning: 'judge the targets of a YAML or JSON file, each in a process of its own, in place of BASE_URL',
  },
  output: {
    flag: '--output FOLDER',
    group: 'fleet',
    meaning: 'the folder for the matrix and the results of the targets',
    default: 'conformance-fleet',
  },
  parallel: { flag: '--parallel N', group: 'fleet', meaning: 'the most targets at a time', default: 4 },
  shard: { flag: '--shard I/N', group: 'fleet', meaning: 'judge part I of N of the targets, from 1 on; see "merge"' },
  config: {
    flag: '--config FILE',
    group: 'file',
    variable: 'CONFORMANCE_CONFIG',
    meaning: `YAML or JSON with the settings above; by default ${DEFAULT_CONFIGURATION}, if it exists. Flags override environment variables; both override the file.`,
  },
} as const satisfies Readonly<Record<string, Grouped>>;

/** The options of a command by group, as `--help` shows them. */
export function settingsHelp(options: readonly Grouped[]): string {
  return Object.entries(GROUPS)
    .flatMap(([group, title]) => {
      const own = options.filter((option) => option.group === group && option.flag !== 'BASE_URL');
      return own.length === 0 ? [] : [`${title}:\n${optionHelp(own, 30)}`];
    })
    .join('\n\n');
}

/** What a setting is, in whole sentences. */
export function descriptionOf({ meaning, note }: Setting): string {
  return `${capitalized(meaning)}.${note === undefined ? '' : ` ${note}`}`;
}

/** The settings by the titles of their groups. */
export function settingsByGroup(): (readonly [title: string, settings: readonly [name: string, setting: Setting][]])[] {
  return Object.entries(GROUPS)
    .map(([group, title]) => [title, Object.entries(SETTINGS).filter(([, each]) => each.group === group)] as const)
    .filter(([, settings]) => settings.length > 0);
}

/** The JSON Schema of a configuration file. */
export function configurationSchema(): object {
  const properties = Object.entries(SETTINGS).map(([name, setting]) => {
    const { kind, default: fallback, example } = setting;
    const member = {
      ...kind.schema,
      description: descriptionOf(setting),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(example === undefined ? {} : { examples: [example] }),
    };
    return [name, member] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of admin-api-conformance',
    description:
      'The settings in conformance.yaml, as YAML or JSON. Flags override environment variables; both override the file. Relative paths are relative to the folder of the file. Keys do not belong in it.',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'Where this schema is, for editors.' },
      ...Object.fromEntries(properties),
    },
    additionalProperties: false,
  };
}

/**
 * The value of a setting: the option's, else the environment variable's, else the default. `withConfiguration` has put the
 * values of the configuration file among the options.
 *
 * @throws UsageError that begins with the option, the place in the file or the variable
 */
export function valueOf<T>(
  setting: Setting<T> & { readonly default: T & (string | number) },
  parsed: ParsedArguments,
  environment?: Environment,
): T;
export function valueOf<T>(setting: Setting<T>, parsed: ParsedArguments, environment?: Environment): T | undefined;
export function valueOf<T>(setting: Setting<T>, parsed: ParsedArguments, environment: Environment = {}): T | undefined {
  const { kind, variable, default: fallback } = setting;
  const option = optionName(setting);
  const given = parsed.values[option];
  const name = nameOf(parsed, option);
  if (typeof given === 'string') return kind.parse(given, name);
  // Only settings whose values are lists are repeatable.
  if (Array.isArray(given)) return given.flatMap((text) => kind.parse(String(text), name)) as T;
  const text = variable === undefined ? undefined : environment[variable];
  if (variable === undefined || text === undefined || text === '') return fallback as T | undefined;
  return (kind.parseVariable ?? kind.parse)(text, variable);
}

/**
 * What the operator says of the target, but for its address.
 *
 * @param baseUrl its address, which must not contain a key
 * @param settings those to read, where not all of them
 * @throws UsageError if a value is wrong, or does not fit the others
 */
export function parseTarget(
  parsed: ParsedArguments,
  environment: Environment,
  baseUrl?: URL,
  settings: readonly Setting[] = TARGET_SETTINGS,
): Omit<Inputs, 'baseUrl'> {
  const given = settings
    .filter(({ input }) => input !== 'baseUrl')
    .map((setting) => [setting.input, valueOf(setting, parsed, environment)] as const);
  const target = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as Inputs;
  const problem = inputsProblem({ ...target, ...(baseUrl && { baseUrl }) });
  if (problem !== undefined) throw new UsageError(problem);
  return target;
}

/** What `--only` and `--skip` say. */
export function parseSelection(parsed: ParsedArguments) {
  return { only: valueOf(OWN_SETTINGS.only, parsed) ?? [], skip: valueOf(OWN_SETTINGS.skip, parsed) ?? [] };
}

/** The limits of a run. */
export function parseLimits(parsed: ParsedArguments): Limits {
  const { timeout, deadline, maxBody, concurrency } = OWN_SETTINGS;
  return {
    timeout: valueOf(timeout, parsed),
    deadline: valueOf(deadline, parsed),
    maxBody: valueOf(maxBody, parsed),
    concurrency: valueOf(concurrency, parsed),
  };
}

/** Said before anything is sent without a verified certificate. */
export const INSECURE_WARNING = '--insecure: no certificate is verified; anybody on the way can read the keys';

/**
 * How the target is reached.
 *
 * @throws UsageError if the file of certificates cannot be used
 */
export function parseRoute(parsed: ParsedArguments, environment: Environment): Route {
  const file = valueOf(OWN_SETTINGS.ca, parsed);
  const name = nameOf(parsed, 'ca');
  const ca = file === undefined ? undefined : readGivenFile(name, file);
  if (ca !== undefined && !isCertificate(ca))
    throw new UsageError(`${name} ${file ?? ''}: no certificate in PEM ("-----BEGIN CERTIFICATE-----").`);
  const proxy = proxyOf(environment);
  const insecure = parsed.values.insecure === true;
  if (insecure && ca !== undefined) throw new UsageError('--insecure and --ca exclude each other.');
  return { ...(ca !== undefined && { ca }), ...(insecure && { insecure }), ...(proxy && { proxy }) };
}

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem));
  } catch {
    return false;
  }
}

/** The address that was given, by argument, environment or configuration file. */
export function givenBaseUrl(parsed: ParsedArguments, environment: Environment): URL | undefined {
  const [argument] = parsed.positionals;
  return argument === undefined
    ? valueOf<URL>(baseUrl, parsed, environment)
    : baseUrl.kind.parse(argument, baseUrl.flag);
}

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

/** The lines that set these variables in a shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => `export ${name}=${shellWord(value)}`);
}
