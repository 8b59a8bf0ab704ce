import type { Defect } from '../defect.ts';

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorsDefects: readonly Defect[] = [];
