import { parseArgs } from 'node:util';
import { matchesGlob } from '../conformance/selection.ts';
import { defects } from './defects/catalogue.ts';
import { inParallel, proveDefect, proveTrivialTarget, proveVariant } from './prove.ts';
import { trivialTargets } from './trivial-targets.ts';
import { variants } from './variants/catalogue.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '*' } } });
const chosen = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
  all.filter(({ id }) => matchesGlob(values.only, id));

const trivial = await inParallel(chosen(trivialTargets), 8, proveTrivialTarget);
const judged = [
  ...(await inParallel(chosen(defects), 8, proveDefect)),
  ...(await inParallel(chosen(variants), 8, proveVariant)),
  ...trivial,
];
for (const { id, verdict, failed, problems } of judged) {
  process.stdout.write(
    `${problems.length === 0 ? 'ok ' : 'NOT'} ${id} ${verdict}: ${Object.keys(failed).join(', ')}\n`,
  );
  for (const problem of problems) process.stdout.write(`      ${problem}\n`);
}
for (const { id, score } of trivial) {
  process.stdout.write(`${id} passes ${score.passed} of ${score.total} checks of the level must\n`);
}
process.exitCode = judged.some(({ problems }) => problems.length > 0) ? 1 : 0;
