import type { Defect } from '../../proof/defect.ts';
import type { Variant } from '../../proof/variant.ts';
import type { Limits } from '../../conformance/http/policy/limits.ts';
import { optionName } from '../input/options.ts';
import { OWN_SETTINGS } from '../input/settings.ts';

function limitArguments(limits: Partial<Limits>): string[] {
  const entries = Object.entries(limits) as [keyof Limits, number][];
  return entries.flatMap(([name, value]) => [`--${optionName(OWN_SETTINGS[name])}`, String(value)]);
}

/** Loads the catalogues of the proof, which only some commands need. */
export async function loadProofServers() {
  const [{ defects, variants }, { levelOf }] = await Promise.all([
    import('../../proof/catalogue.ts'),
    import('../../proof/judging.ts'),
  ]);
  /** The command that judges the server with the limits and the level that it needs. */
  const runLine = (server: Defect | Variant): string => {
    const isDefect = 'breaks' in server;
    const own = isDefect ? [] : limitArguments(server.limits ?? {});
    const level = isDefect && levelOf(server) === 'should' ? ['--fail-on should'] : [];
    return ['admin-api-conformance run', ...own, ...level].join(' ');
  };
  return { defects, variants, runLine };
}

/** The servers that prove the suite. */
export type ProofServers = Awaited<ReturnType<typeof loadProofServers>>;
