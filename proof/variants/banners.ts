import type { Variant } from '../variant.ts';

/** Source: Resources, Banner; Endpoints, GET banners. */
export const bannersVariants: readonly Variant[] = [];
