import type { Variant } from '../variant.ts';

/** Source: Endpoints, PUT user. */
export const updatesVariants: readonly Variant[] = [];
