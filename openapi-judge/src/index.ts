/** Judges the change from one OpenAPI document to another. */
export { classify, judge, ownChanges, type Extensions } from './classify.ts';
export {
  BREAKS_BOTH,
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  brokenSides,
  changesBy,
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
export type { Accepted } from './accepted.ts';
export { applied, levelOf, type Level, type Outcome, type Policy } from './policy.ts';
export { annotationsOf, lineFinder } from './report/github.ts';
export { toMarkdown } from './report/markdown.ts';
export type { View } from './report/groups.ts';
export { toText } from './report/text.ts';
export { EFFECTS, RULES, type Rule, type RuleTable } from './rules.ts';
export { UsageError } from '../../common/process/args.ts';
export { runJudge } from './cli.ts';
