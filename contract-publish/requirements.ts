import { contractDocument, openPoints, requirements } from '../contract/document.ts';
import { checks, checksOf } from '../conformance/checks/catalogue.ts';

/**
 * The requirements of the contract as data, in the order of the document; the checks in that of the catalogue.
 *
 * @param digest SHA-256 of the contract as JSON
 */
export function publishedRequirements(digest: string) {
  const { title, version } = contractDocument.info;
  return {
    contract: { title, version, digest },
    requirements: requirements.map((requirement) => {
      const { id, level, text, source, pointer } = requirement;
      return { id, level, text, source, pointer, checks: checksOf(requirement).map((check) => check.id) };
    }),
    openPoints,
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

/** What `requirements.json` holds: every requirement, with the checks that judge it, and every way in which these fail. */
export type PublishedRequirements = ReturnType<typeof publishedRequirements>;
