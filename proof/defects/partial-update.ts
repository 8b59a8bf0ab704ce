import type { Defect } from '../defect.ts';

/** Source: What the service does, 1; Endpoints, PUT user, rule. */
export const partialUpdateDefects: readonly Defect[] = [];
