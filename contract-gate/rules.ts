import type { RuleTable } from '../openapi-judge/src/index.ts';

/** The rules for the extensions of this contract. `docs/contract-rules.md` shows this table. */
export const OUR_RULES = {
  'error-name-changed': [
    'clients|implementers|both',
    'The name of an error: a new one breaks implementers, one that is gone clients',
  ],
  'requirement-added': ['implementers|nobody', 'A requirement is new: a `must` breaks implementers, a `should` nobody'],
  'requirement-removed': ['clients|nobody', 'A requirement is gone: a `must` breaks clients, a `should` nobody'],
  'requirement-level': [
    'clients|implementers',
    'A `must` that becomes a `should` breaks clients, the reverse implementers',
  ],
  'requirement-changed': ['both|nobody', 'A requirement has another meaning: a `must` breaks both, a `should` nobody'],
  'requirement-reworded': ['nobody', 'A requirement is reworded; a person reviews it'],
  'requirement-spelling': ['words', 'A requirement is spelled differently'],
  'requirement-moved': ['words', 'A requirement stands at another place'],
  'requirement-source': ['words', 'A requirement names another place in the source'],
  'open-point-added': ['nobody', 'An open point is new'],
  'open-point-removed': ['nobody', 'An open point is gone'],
  'open-point-ruling': ['nobody', 'An open point has another ruling; a person reviews it'],
  'open-point-text': ['nobody', 'An open point is reworded; a person reviews it'],
  'open-point-kind': ['nobody', 'An open point is of another kind'],
  'open-point-spelling': ['words', 'An open point is spelled differently'],
  'open-point-moved': ['words', 'An open point stands at another place, or names another one in the source'],
  'observation-added': ['nobody', 'An observation is new'],
  'observation-removed': ['nobody', 'An observation is gone'],
  'observation-text': ['nobody', 'An observation is reworded'],
  'sample-type-changed': ['nobody', '`x-sample-type` changes'],
} as const satisfies RuleTable;
