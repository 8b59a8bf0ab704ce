import type { Defect } from '../defect.ts';

/** Source: Endpoints, PUT user, 404; Errors, 404. */
export const missingUserDefects: readonly Defect[] = [];
