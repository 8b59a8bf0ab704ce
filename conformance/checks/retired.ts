/**
 * The ids of checks that are gone, each with the check that judges the same now, or null if none does. An id that was ever
 * released stays reserved, so that a baseline that names it can be told what became of it.
 */
export const retiredChecks: Readonly<Record<string, string | null>> = {};
