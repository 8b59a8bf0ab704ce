/** Whether every example is taken (`npm test -- --mode complete`), or a sample. */
export const complete = process.env.MODE === 'complete';

/** Some of many examples that resemble each other, evenly spread. */
export function sample<T>(items: readonly T[], many: number): readonly T[] {
  const step = complete ? 1 : Math.ceil(items.length / many);
  return items.filter((_item, index) => index % step === 0);
}
