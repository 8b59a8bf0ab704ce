import type { Defect } from '../defect.ts';

/** Source: Endpoints, PUT user, path parameter. */
export const pathIdDefects: readonly Defect[] = [];
