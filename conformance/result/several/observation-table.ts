import { openPoints } from '../../../contract/document.ts';
import type { Result } from '../result.ts';

/** A result and its name in the table. */
export interface NamedResult {
  readonly name: string;
  readonly result: Result;
}

/** What several targets do where the contract is silent. */
export type ObservationTable = ReturnType<typeof tabulateObservations>;
/** What each target does at one open point. */
export type ObservationRow = ReturnType<typeof rowOf>;

function rowOf(id: string, question: string, results: readonly NamedResult[]) {
  const cells = results.map(({ result }) =>
    result.observations.find((each) => each.id === id && each.observed !== undefined),
  );
  const seen = cells.flatMap((cell) => (cell ? [JSON.stringify([cell.observed, cell.detail])] : []));
  // Targets differ only where both were seen.
  return { id, question, cells, differs: new Set(seen).size > 1 };
}

/**
 * Tables the observations of several results. A point that a result does not mention (it is of another version of the contract,
 * or only some checks were selected) was not seen there.
 */
export function tabulateObservations(results: readonly NamedResult[]) {
  const named = results.flatMap(({ result }) => result.observations.map(({ id }) => id));
  const known = new Set(openPoints.map(({ id }) => id));
  const unknown = [...new Set(named.filter((id) => !known.has(id)))].sort();
  return {
    columns: results.map(({ name, result }) => ({
      name,
      baseUrl: result.target.baseUrl,
      contractVersion: result.contract.version,
    })),
    rows: [
      ...openPoints
        .filter(({ observations }) => observations.length > 0)
        .map(({ id, text }) => rowOf(id, text, results)),
      ...unknown.map((id) => rowOf(id, id, results)),
    ],
    // Those that cannot be seen from outside.
    hidden: openPoints.filter(({ observations }) => observations.length === 0).map(({ id, text }) => ({ id, text })),
  };
}
