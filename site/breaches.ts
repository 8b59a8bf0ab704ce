/** What a breach looks like: what the suite says of servers of the proof, each of which has one fault. */
import { checks, requirements, run, type Finding } from '../conformance/index.ts';
import { defects } from '../proof/catalogue.ts';
import type { Defect } from '../proof/server.ts';
import { inputsFor, needsSocket, withBehaviour } from '../proof/servers/behaviour.ts';

/** A broken requirement, as the suite shows it. */
export interface Breach {
  /** `serve --defect ID` starts this server. */
  readonly defect: string;
  readonly title: string;
  readonly fix: string;
  /** The request that shows it, as a command. */
  readonly request: string;
  /** Its status and its body; why there is none. */
  readonly response: string;
}

/** What is enough to have every kind of response, and each member, looked at. */
const PLAINEST = [
  'update-name',
  'update-email',
  'update-name-email-rootrole',
  'banners-*',
  'missing-user',
  'auth-no-*',
];
/** ms. A defect that takes longer is not the one to show. */
const PATIENCE = 100;
/** Characters of a response. */
const MOST_SHOWN = 1_000;
/** Those that break connections take long, and are shown badly. */
const candidates = defects.filter(({ behaviour }) => !needsSocket(behaviour));

async function findingsOf({ behaviour, inputs }: Defect, only: readonly string[]): Promise<readonly Finding[]> {
  return withBehaviour(behaviour, async ({ url, seed, transport }) => {
    const result = await run(
      { ...inputsFor(url, seed, inputs) },
      { only, journal: false, transport, patience: PATIENCE },
    );
    return result.findings;
  });
}

/** A text of a run, as it would be for a server of the reader. */
function atHome(text: string): string {
  return text.replaceAll(/http:\/\/(?:in-process\.localhost|127\.0\.0\.1:\d+)/g, 'http://localhost:4242');
}

function breachIn(finding: Finding, { id: defect }: Defect): Breach {
  const { title, fix } = finding;
  const { curl = '', response, lost = '' } = finding.exchanges[0] ?? {};
  const shown = response ? `${response.status}\n${response.body}` : lost;
  return { defect, title, fix, request: atHome(curl), response: atHome(shown).slice(0, MOST_SHOWN) };
}

/**
 * What these checks say of the first defect of a requirement that they find.
 *
 * @param check the check that has to find it, if that is not just any
 */
async function breachOf(requirement: string, only: readonly string[], check?: string): Promise<Breach | undefined> {
  const isWanted = (finding: Finding): boolean =>
    finding.requirement === requirement && (check === undefined || finding.checks.includes(check));
  for (const defect of candidates.filter(({ breaks }) => breaks.includes(requirement))) {
    const finding = (await findingsOf(defect, only)).find(isWanted);
    if (finding) return breachIn(finding, defect);
  }
  return undefined;
}

/**
 * A breach for each check, and for each requirement that is judged in every response, by its id; none where no defect of the
 * proof shows it alone.
 */
export async function findBreaches(): Promise<Readonly<Record<string, Breach>>> {
  const found: Record<string, Breach> = {};
  const keep = (id: string, breach: Breach | undefined): void => {
    if (breach) found[id] = breach;
  };
  for (const { id, requirement } of checks) keep(id, await breachOf(requirement, [id], id));
  const judged = new Set(checks.map(({ requirement }) => requirement));
  for (const { id } of requirements) if (!judged.has(id)) keep(id, await breachOf(id, PLAINEST));
  return found;
}
