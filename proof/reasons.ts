/** Why a check is there although it fails only where another check of the same requirement fails too. */
export const redundantChecks: Readonly<Record<string, string>> = {};

const NOTHING_TO_SEE = 'nothing of it can be seen from outside';
const ONE_WAY = 'the sentence leaves one way to keep it';

/** Sentences that no variant can be about, each with the reason. */
export const sentencesWithoutFreedom: Readonly<Record<string, string>> = {
  'open.service-purpose': NOTHING_TO_SEE,
  'banners.success-is-200': ONE_WAY,
  'auth.header-only': ONE_WAY,
  'errors.name': ONE_WAY,
};
