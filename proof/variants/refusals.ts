import type { Variant } from '../variant.ts';

/** Source: Errors; Authentication; Endpoints, PUT user. */
export const refusalsVariants: readonly Variant[] = [];
