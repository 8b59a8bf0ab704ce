import { checks } from '../../conformance/checks/catalogue.ts';
import { stubs } from '../../proof/servers/stubs.ts';
import type { KillMatrix } from '../../site/model.ts';
import { declaredMatrix } from '../../site/read.ts';

/** A kill matrix as if each server had shown what it expects: the shape of what `npm run prove` writes. */
export function expectedKillMatrix(): KillMatrix {
  const { variants, ...rest } = declaredMatrix();
  const total = checks.filter(({ level }) => level === 'must').length;
  return {
    ...rest,
    proved: true,
    variants: variants.map((each) => ({ ...each, verdict: 'passed' })),
    stubs: stubs.map(({ id, title }) => ({
      ...{ id, title, verdict: 'failed', score: { passed: 0, total } },
      ...{ failed: {}, inconclusive: {}, problems: [] },
    })),
  };
}
