import { arrayOf, isRecord, textOf } from '../common/json.ts';
import { type ParsedArguments, readGivenFile, UsageError } from '../common/process/args.ts';
import { parseYaml } from '../common/yaml.ts';
import type { Inputs } from '../conformance/inputs.ts';
import type { RunOptions } from '../conformance/run.ts';
import { collectSettings, fileSource, flagSource, inputsOf, type Source } from './configuration.ts';
import type { CommandIo } from './command.ts';
import { runOptionsOf } from './judge.ts';
import { optionName } from './option.ts';
import { FILE_SETTINGS, SETTING_NAMES, settingsOf, type Values, wayOf } from './settings.ts';

const settingsIn = (groups: readonly string[]) =>
  SETTING_NAMES.filter((name) => groups.includes(wayOf(name).group ?? ''));
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
  const allowed = FLAG_NAMES.map((name) => optionName(wayOf(name).flag));
  const other = Object.keys(values).find((option) => values[option] !== undefined && !allowed.includes(option));
  if (other !== undefined) throw new UsageError(`--targets and --${other} exclude each other; see run --help.`);
}

/** The names of the targets of a file, and what it says: of each target, and of all. */
async function readTargetsFile(path: string): Promise<(readonly [name: string, sources: readonly Source[]])[]> {
  const yaml = await parseYaml(path, readGivenFile('--targets', path));
  const { defaults = {}, targets, ...others } = isRecord(yaml.data) ? yaml.data : {};
  const other = Object.keys(others).find((name) => name !== '$schema');
  if (other !== undefined)
    throw new UsageError(`${yaml.at([other])}: a file of targets has "defaults" and "targets"; here is "${other}".`);
  if (arrayOf(targets).length === 0)
    throw new UsageError(`${yaml.at(['targets'])}: a file of targets is an object with the list "targets".`);
  const common = fileSource(path, yaml, defaults, FILE_NAMES, ['defaults']);
  const names = new Set<string>();
  return arrayOf(targets).map((target, index) => {
    const own = fileSource(path, yaml, target, ['name', ...FILE_NAMES], ['targets', index]);
    const text = textOf(own.data.name) ?? '';
    const at = yaml.at(['targets', index, 'name']);
    if (!NAME.test(text))
      throw new UsageError(`${at}: name: give 1 to 64 letters, digits, dots, dashes and underscores, such as eu-1.`);
    if (names.has(text.toLowerCase())) throw new UsageError(`${at}: name: ${text} is the name of another target, too.`);
    names.add(text.toLowerCase());
    return [text, [own, common]] as const;
  });
}

/**
 * Reads the file of `--targets`, and the files that it names.
 *
 * @throws UsageError with a line for each mistake
 */
export async function readTargets(
  parsed: ParsedArguments,
  io: CommandIo,
): Promise<{ readonly values: Values; readonly targets: readonly NamedTarget[] }> {
  refuseOtherFlags(parsed);
  const path = String(parsed.values.targets);
  const { values } = collectSettings(FLAG_NAMES, [flagSource(parsed, settingsOf(FLAG_NAMES))]);
  const flags = flagSource(parsed, settingsOf(TARGET_NAMES));
  const mistakes: string[] = [];
  const targets: NamedTarget[] = [];
  for (const [name, sources] of await readTargetsFile(path)) {
    try {
      // Not the environment: it may have the key of one target, which must not go to all.
      const settings = collectSettings(TARGET_NAMES, [flags, ...sources]);
      const { baseUrl, ...target } = inputsOf(settings.values);
      if (!baseUrl) throw new UsageError(`${path}: target ${name} has no baseUrl.`);
      const options = await runOptionsOf(settings, io);
      targets.push({ name, inputs: { ...target, baseUrl }, options, wait: settings.values.wait });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(...error.lines.map((line) => (line.startsWith(path) ? line : `${path}: target ${name}: ${line}`)));
    }
  }
  if (mistakes.length > 0) throw new UsageError(new Set(mistakes));
  return { values, targets };
}
