/** Judges the change from one OpenAPI document to another. */
export { classify, judge, ownChanges, type Extensions } from './classify.ts';
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
export { applied, levelOf, type Accepted, type Level, type Outcome, type Policy } from './policy.ts';
export { annotationsOf, lineFinder } from './report/github.ts';
export { toMarkdown } from './report/markdown.ts';
export { toText, type View } from './report/text.ts';
export { EFFECTS, RULES, type Rule, type RuleTable } from './rules.ts';
export { UsageError } from '../../common/process/args.ts';
export { runJudge } from './cli.ts';
