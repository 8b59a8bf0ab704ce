import type { Variant } from '../variant.ts';

/** Source: opening paragraph; Limits; RFC 9110, 9112. */
export const httpVariants: readonly Variant[] = [];
