import type { Defect } from '../defect.ts';

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyDefects: readonly Defect[] = [];
