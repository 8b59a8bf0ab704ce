import type { Defect } from '../defect.ts';

/** Source: Endpoints, PUT user, responses; Errors. */
export const refusalsDefects: readonly Defect[] = [];
