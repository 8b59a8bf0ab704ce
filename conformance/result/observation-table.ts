import { openPoints, type OpenPoint } from '../../contract/document.ts';
import type { Observation } from '../checks/observations.ts';
import type { Result } from './result.ts';

/** A result and its name in the table. */
export interface NamedResult {
  readonly name: string;
  readonly result: Result;
}

/** What each target does at one open point. */
export interface ObservationRow {
  /** Id of the open point. */
  readonly id: string;
  /** The question that the contract leaves open; the id if this version of the contract does not know it. */
  readonly question: string;
  /** What each target does, in the order of the columns; undefined where it was not seen. */
  readonly cells: readonly (Observation | undefined)[];
  /** Whether two targets were seen to differ. */
  readonly differs: boolean;
}

/** What several targets do where the contract is silent. */
export interface ObservationTable {
  readonly columns: readonly { readonly name: string; readonly baseUrl: string; readonly contractVersion: string }[];
  /** One for each open point that can be observed, in the order of the contract. */
  readonly rows: readonly ObservationRow[];
  /** The open points that cannot be seen from outside. */
  readonly hidden: readonly Pick<OpenPoint, 'id' | 'text'>[];
}

function rowOf(id: string, question: string, results: readonly NamedResult[]): ObservationRow {
  const cells = results.map(({ result }) =>
    result.observations.find((each) => each.id === id && each.observed !== undefined),
  );
  const seen = cells.flatMap((cell) => (cell ? [JSON.stringify([cell.observed, cell.detail])] : []));
  return { id, question, cells, differs: new Set(seen).size > 1 };
}

/**
 * Tables the observations of several results. A point that a result does not mention (it is of another version of the contract,
 * or only some checks were selected) was not seen there.
 */
export function tabulateObservations(results: readonly NamedResult[]): ObservationTable {
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
    hidden: openPoints.filter(({ observations }) => observations.length === 0).map(({ id, text }) => ({ id, text })),
  };
}
