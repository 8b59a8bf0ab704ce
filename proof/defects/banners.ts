import type { Defect } from '../defect.ts';

/** Source: Resources, Banner; Endpoints, GET banners. */
export const bannersDefects: readonly Defect[] = [];
