import type { Defect } from '../defect.ts';

/** Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly Defect[] = [];
