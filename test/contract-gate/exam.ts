import { besideAnother } from './exam/beside.ts';
import { furtherPairs } from './exam/further.ts';
import { messagePairs } from './exam/messages.ts';
import { mixedPairs } from './exam/mixtures.ts';
import { ourPairs } from './exam/ours.ts';
import type { Pair } from './exam/pair.ts';
import { schemaPairs } from './exam/schemas.ts';
import { spellingPairs } from './exam/spellings.ts';

export type { Bump, Expected, Outcome, Pair } from './exam/pair.ts';
export { equalities, inclusions } from './exam/schemas.ts';

const written: readonly Pair[] = [
  ...ourPairs,
  ...messagePairs,
  ...spellingPairs,
  ...mixedPairs,
  ...schemaPairs,
  ...furtherPairs,
];

/**
 * The exam of the judge of contract changes: pairs of documents, each with the verdicts that are right and a reason.
 *
 * The verdicts rest on two definitions. Breaking for clients: some client that works with every server that conforms to the base may fail
 * with a server that conforms to the head. Breaking for implementers: some server that conforms to the base does not conform to the head.
 * It was written without sight of the judge and of its own table; what `further.ts` adds came afterwards.
 */
export const exam: readonly Pair[] = [...written, ...besideAnother(written)];
