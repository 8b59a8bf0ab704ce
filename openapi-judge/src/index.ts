/** Judges the change from one OpenAPI document to another. */
export { classify, ownChanges, type Extensions } from './classify.ts';
export {
  BREAKS_BOTH,
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  brokenSides,
  changeBy,
  COMPATIBLE,
  judgementOf,
  type Bump,
  type Change,
  type Effect,
  type Judgement,
  type Place,
  type Verdict,
} from './change.ts';
export { child, children, diffEntries, METHODS, partAt } from './documents/description.ts';
export type { Description, Located, MaybeLocated } from './documents/description.ts';
export { describeText, loadDescription } from './load.ts';
export { redoclyBothWays, type RedoclyFinding, type RedoclyReport } from './redocly.ts';
export { toMarkdown, toText } from './report.ts';
export { annotationsOf, lineFinder } from './annotations.ts';
export { EFFECTS, RULES, type Rule, type RuleTable } from './rules.ts';
export { runJudge } from './cli.ts';
