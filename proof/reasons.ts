import { operations } from '../conformance/operations/index.ts';
import { requirements } from '../contract/document.ts';
import { variants } from './catalogue.ts';

const BLANKS =
  'HTTP strips the blanks around a value, so most servers cannot tell an empty value from a blank one; one that reads raw bytes can';

/** Why a check is there although it fails only where another check of the same requirement fails too. */
export const redundantChecks: Readonly<Record<string, string>> = Object.fromEntries(
  operations.flatMap(({ slug }) => ['empty', 'blank'].map((value) => [`auth-${slug}-${value}-header`, BLANKS])),
);

const NOTHING_TO_SEE = 'it cannot be observed from outside';
const ONE_WAY = 'the requirement leaves one way to meet it';

/** A status and, for an error, a name: there is one way, unless a variant shows another. */
const oneStatus = requirements
  .map(({ id }) => id)
  .filter((id) => /\.(success-is-200|not-found)$/.test(id) && !variants.some(({ about }) => about.includes(id)));

/** Requirements that no variant can be about, each with the reason. */
export const requirementsWithoutFreedom: Readonly<Record<string, string>> = {
  'open.service-purpose': NOTHING_TO_SEE,
  ...Object.fromEntries(oneStatus.map((id) => [id, ONE_WAY])),
  'auth.header-only': ONE_WAY,
  'auth.field-name-case': ONE_WAY,
  'auth.key-not-shown': ONE_WAY,
  'user.no-secrets': ONE_WAY,
  'errors.name': ONE_WAY,
  'request-body.required': ONE_WAY,
  'request-body.strict-json': ONE_WAY,
  'request-body.object': ONE_WAY,
  'request-body.utf-8': ONE_WAY,
  'auth.existence-hidden': ONE_WAY,
  'errors.no-internals': ONE_WAY,
  'request-body.name-type': ONE_WAY,
  'request-body.email-type': ONE_WAY,
};
