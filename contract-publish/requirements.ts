import { contractDocument, openPoints, requirements, type Level } from '../contract/document.ts';
import { checks, checksOf } from '../conformance/checks/catalogue.ts';

/** What `requirements.json` holds: every requirement of the contract, with the checks that judge it. */
export interface PublishedRequirements {
  readonly contract: { readonly title: string; readonly version: string; readonly digest: string };
  readonly requirements: readonly {
    readonly id: string;
    readonly level: Level;
    readonly text: string;
    readonly source: string;
    /** JSON pointer into openapi.json, of the object that carries it. */
    readonly pointer: string;
    readonly checks: readonly string[];
  }[];
  readonly openPoints: typeof openPoints;
  readonly checks: readonly {
    readonly id: string;
    readonly area: string;
    readonly level: Level;
    readonly title: string;
    readonly requirements: readonly string[];
    /** Each way to fail, with what to fix. */
    readonly failureModes: Readonly<Record<string, string>>;
  }[];
}

/**
 * The requirements of the contract as data, in the order of the document; the checks in that of the catalogue.
 *
 * @param digest SHA-256 of the contract as JSON
 */
export function publishedRequirements(digest: string): PublishedRequirements {
  const { title, version } = contractDocument.info;
  return {
    contract: { title, version, digest },
    requirements: requirements.map((requirement) => {
      const { id, level, text, source, pointer } = requirement;
      return { id, level, text, source, pointer, checks: checksOf(requirement).map((check) => check.id) };
    }),
    openPoints: openPoints.map(({ id, kind, text, source, ruling, observations, pointer }) => ({
      id,
      kind,
      text,
      source,
      ruling,
      observations,
      pointer,
    })),
    checks: checks.map(({ id, area, level, title, requirements: judged, failureModes }) => ({
      id,
      area,
      level,
      title,
      requirements: judged,
      failureModes,
    })),
  };
}
