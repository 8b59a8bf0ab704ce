import type { ExploreOptions } from '../../conformance/traffic/explore-options.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { nameOf, UsageError, wholeNumber, type Environment, type ParsedArguments } from '../../common/process/args.ts';
import { readBaseline } from './baseline-file.ts';
import { OWN_SETTINGS, parseLimits, parseRoute, parseSelection, valueOf } from './settings.ts';

function parseExplore(parsed: ParsedArguments): ExploreOptions | undefined {
  const sequences = valueOf(OWN_SETTINGS.explore, parsed);
  const { seed } = parsed.values;
  if (sequences === undefined) {
    if (seed !== undefined) throw new UsageError('--seed repeats an exploration; add --explore.');
    return undefined;
  }
  return typeof seed === 'string' ? { sequences, seed: wholeNumber('--seed', seed, 0, 2 ** 31 - 1) } : { sequences };
}

/**
 * What the options and the configuration say of a run, whatever its target.
 *
 * @param environment names the proxies
 * @throws UsageError
 */
export async function readRunOptions(parsed: ParsedArguments, environment: Environment): Promise<RunOptions> {
  const failOn = valueOf(OWN_SETTINGS.failOn, parsed);
  const limits = parseLimits(parsed);
  const file = valueOf(OWN_SETTINGS.baseline, parsed);
  const baseline = file === undefined ? [] : await readBaseline(nameOf(parsed, 'baseline'), file);
  const explore = parseExplore(parsed);
  const settle = valueOf(OWN_SETTINGS.settle, parsed);
  const takeOver = parsed.values['take-over'] === true;
  return {
    ...parseSelection(parsed),
    failOn,
    baseline,
    limits,
    takeOver,
    route: parseRoute(parsed, environment),
    ...(settle === undefined ? {} : { settle }),
    ...(explore && { explore }),
  };
}
