import type { Variant } from '../variant.ts';
import { bannersVariants } from './banners.ts';
import { httpVariants } from './http.ts';
import { refusalsVariants } from './refusals.ts';
import { updatesVariants } from './updates.ts';
import { userVariants } from './users.ts';

/** Every conforming variant, by area. */
export const variants: readonly Variant[] = [
  ...userVariants,
  ...updatesVariants,
  ...refusalsVariants,
  ...bannersVariants,
  ...httpVariants,
];
