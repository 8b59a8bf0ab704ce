import type { Exchange } from '../http/exchange.ts';
import { showsOtherId } from '../target/user-state.ts';
import { SHOWN_ID_CHECK } from '../target/user.ts';
import type { Judgement } from './check.ts';
import { explainedBy } from './outcomes.ts';

/** Says why nothing of a user is seen where responses show another id: they may show another user. */
export function unlessOtherId(judgement: Judgement, exchanges: readonly Exchange[]): Judgement {
  const isUnseen = judgement.outcome === 'inconclusive' && judgement.reason === 'not-observable';
  if (!isUnseen || !exchanges.some(showsOtherId)) return judgement;
  return explainedBy({ ...judgement, detail: 'the responses of the target show another id' }, SHOWN_ID_CHECK);
}
