import { arrayOf, isRecord } from '../common/json.ts';
import { type ParsedArguments, UsageError } from '../common/process/args.ts';
import { readGivenFile } from '../common/process/files.ts';
import { parseYaml } from '../common/yaml.ts';
import type { Inputs } from '../conformance/inputs.ts';
import type { RunOptions } from '../conformance/run.ts';
import { givenByFile, type GivenSettings, inputsOf, settingsFrom } from './configuration.ts';
import type { CommandIo } from './command.ts';
import { runOptionsOf } from './judge.ts';
import { givenByFlags, optionName } from './option.ts';
import { FILE_SETTINGS, SETTING_NAMES, settings, settingsOf, type Values } from './settings.ts';

const settingsIn = (groups: readonly string[]) =>
  SETTING_NAMES.filter((name) => groups.includes(settings[name].group ?? ''));
/** The settings of a target: a fixed set of files is written for each, so that none says what is written. */
const TARGET_NAMES = settingsIn(['Target', 'Selection and verdict', 'Limits']);
const FILE_NAMES = TARGET_NAMES.filter((name) => FILE_SETTINGS.includes(name));
/** The flags that make sense for several targets. Only the file describes the targets. */
const FLAG_NAMES = [
  ...settingsIn(['Selection and verdict', 'Limits', 'Several targets']),
  ...(['format', 'quiet', 'verbose'] as const),
];

/** A file name that needs no escape in a shell, a URL or Markdown. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** A target of the file, ready to be judged. */
export interface NamedTarget {
  readonly name: string;
  readonly inputs: Inputs;
  readonly options: RunOptions;
  readonly wait: number | undefined;
}

/** @throws UsageError for a flag that is not for several targets */
function refuseOtherFlags({ positionals, values }: ParsedArguments): void {
  if (positionals.length > 0)
    throw new UsageError('--targets and BASE_URL exclude each other: the file has the addresses.');
  const allowed = FLAG_NAMES.map((name) => optionName(settings[name]));
  const other = Object.keys(values).find((option) => values[option] !== undefined && !allowed.includes(option));
  if (other !== undefined) throw new UsageError(`--targets and --${other} exclude each other; see run --help.`);
}

/** The targets of a file: the name of each, and what the file says of it. */
async function targetsIn(path: string): Promise<(readonly [name: string, given: GivenSettings])[]> {
  const yaml = await parseYaml(path, readGivenFile('--targets', path));
  const { defaults = {}, targets, ...others } = isRecord(yaml.data) ? yaml.data : {};
  const other = Object.keys(others).find((name) => name !== '$schema');
  if (other !== undefined)
    throw new UsageError(`${yaml.at([other])}: a file of targets has "defaults" and "targets"; here is "${other}".`);
  if (arrayOf(targets).length === 0)
    throw new UsageError(`${yaml.at(['targets'])}: a file of targets is an object with the list "targets".`);
  const common = givenByFile(path, yaml, defaults, FILE_NAMES, ['defaults']);
  const names = new Set<string>();
  return arrayOf(targets).map((target, index) => {
    const { name = '', ...own } = isRecord(target) ? target : {};
    const given = givenByFile(path, yaml, isRecord(target) ? own : target, FILE_NAMES, ['targets', index]);
    const at = yaml.at(['targets', index, 'name']);
    if (typeof name !== 'string' || !NAME.test(name))
      throw new UsageError(`${at}: name: give 1 to 64 letters, digits, dots, dashes and underscores, such as eu-1.`);
    if (names.has(name.toLowerCase())) throw new UsageError(`${at}: name: ${name} is the name of another target, too.`);
    names.add(name.toLowerCase());
    return [name, { ...common, ...given }] as const;
  });
}

/**
 * Reads the file of `--targets`, and the files that it names.
 *
 * @throws UsageError with a line for each mistake in a target
 */
export async function readTargets(
  parsed: ParsedArguments,
  io: CommandIo,
): Promise<{ readonly values: Values; readonly targets: readonly NamedTarget[] }> {
  refuseOtherFlags(parsed);
  const path = String(parsed.values.targets);
  const { values } = settingsFrom(givenByFlags(settingsOf(FLAG_NAMES), parsed.values));
  const flags = givenByFlags(settingsOf(TARGET_NAMES), parsed.values);
  const targets: NamedTarget[] = [];
  for (const [name, given] of await targetsIn(path)) {
    // Not the environment: it may have the key of one target, which must not go to all.
    const own = settingsFrom({ ...given, ...flags });
    const { baseUrl, ...target } = inputsOf(own.values, `${path}: target ${name}: `);
    if (!baseUrl) throw new UsageError(`${path}: target ${name} has no baseUrl.`);
    targets.push({ name, inputs: { ...target, baseUrl }, options: await runOptionsOf(own, io), wait: own.values.wait });
  }
  return { values, targets };
}
