import { arrayOf, isRecord } from '../common/json.ts';
import { UsageError } from '../common/process/args.ts';
import { readGivenFile } from '../common/process/files.ts';
import { parseYaml } from '../common/yaml.ts';
import type { Inputs } from '../conformance/inputs.ts';
import type { RunOptions } from '../conformance/run.ts';
import { givenByFile, type GivenSettings, inputsOf, settingsFrom } from './configuration.ts';
import type { CommandIo } from './command.ts';
import { runOptionsOf } from './judge.ts';
import { FILE_SETTINGS, settings, type Values } from './settings.ts';

/** The settings that the file may have. A fixed set of files is written for each target, so none says what is written. */
const GROUPS = ['Target', 'Selection and verdict', 'Limits'];
const NAMES = FILE_SETTINGS.filter((name) => GROUPS.includes(settings[name].group ?? ''));

/** A file name that needs no escape in a shell, a URL or Markdown. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** A target of the file, ready to be judged. */
export interface NamedTarget {
  readonly name: string;
  readonly inputs: Inputs;
  readonly options: RunOptions;
  readonly wait: number | undefined;
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
  const common = givenByFile(path, yaml, defaults, NAMES, ['defaults']);
  const names = new Set<string>();
  return arrayOf(targets).map((target, index) => {
    const { name = '', ...own } = isRecord(target) ? target : {};
    const given = givenByFile(path, yaml, isRecord(target) ? own : target, NAMES, ['targets', index]);
    const at = yaml.at(['targets', index, 'name']);
    if (typeof name !== 'string' || !NAME.test(name))
      throw new UsageError(`${at}: name: give 1 to 64 letters, digits, dots, dashes and underscores, such as eu-1.`);
    if (names.has(name.toLowerCase())) throw new UsageError(`${at}: name: ${name} is the name of another target, too.`);
    names.add(name.toLowerCase());
    return [name, { ...common, ...given }] as const;
  });
}

/**
 * Reads the file of `--targets`, and the files that it names. A flag is for every target.
 *
 * @throws UsageError with a line for each mistake in a target
 */
export async function readTargets(
  flags: GivenSettings,
  io: CommandIo,
): Promise<{ readonly values: Values; readonly targets: readonly NamedTarget[] }> {
  const { values } = settingsFrom(flags);
  const path = values.targets ?? '';
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
