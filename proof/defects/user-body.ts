import type { Defect } from '../defect.ts';

/** Source: Resources, User. */
export const userBodyDefects: readonly Defect[] = [];
