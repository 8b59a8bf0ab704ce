/** The message of the error of a class that an action throws; fails if it throws none, or another. */
export function messageOf(kind: new (message?: string) => Error, action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof kind) return error.message;
    throw error;
  }
  throw new Error(`Nothing was thrown where a ${kind.name} was expected.`);
}
