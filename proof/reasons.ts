import { operations } from '../conformance/operations/index.ts';
import { requirements } from '../contract/document.ts';
import { variants } from './catalogue.ts';

const BLANKS =
  'HTTP strips the blanks around a value, so most servers cannot tell an empty value from a blank one; one that reads raw bytes can';

const ALL_MEMBERS =
  'an update of all members is a kind of its own in the source, and each of its faults is one of fewer members too';

/** Why a check is there although it fails only where another check of the same requirement fails too. */
export const redundantChecks: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    operations.flatMap(({ slug }) => ['empty', 'blank'].map((value) => [`auth-${slug}-${value}-header`, BLANKS])),
  ),
  'update-name-email-role-shown': ALL_MEMBERS,
  'permission-name': 'it is the plainest of these requests; the one that sends what is stored has a name, too',
};

/** A status and, for an error, a name: there is one way, unless a variant shows another. */
const oneStatus = requirements
  .map(({ id }) => id)
  .filter((id) => /\.(success-is-200|not-found)$/.test(id) && !variants.some(({ about }) => about.includes(id)));

const ONE_WAY = [
  ...['auth.field-name-case', 'auth.key-not-shown'],
  ...['user.no-secrets', 'errors.name', 'errors.no-internals'],
  ...['required', 'strict-json', 'object', 'utf-8', 'name-type', 'email-type', 'spelling'].map(
    (what) => `request-body.${what}`,
  ),
];

/** Requirements that no variant can be about, each with the reason. */
export const requirementsWithoutFreedom: Readonly<Record<string, string>> = {
  'open.service-purpose': 'it cannot be observed from outside',
  ...Object.fromEntries([...oneStatus, ...ONE_WAY].map((id) => [id, 'the requirement leaves one way to meet it'])),
};

/** Pairs of defects of which a server shows one alone, or shows it as something else, each with the reason. */
export const inseparablePairs: Readonly<Record<string, string>> = {
  'same-role-refused + user-json-with-nan':
    'no response can be read, so nothing tells that the user has this role already',
  'body-validated-before-key + string-body-taken-as-empty': 'what validates before the key refuses the string',
  'error-shows-java-stack + error-400-empty': 'the stack is in the bodies of 400, which the other one empties',
  'refusals-are-400 + empty-email-answered-422': 'what is refused with 422 is refused with 400 then',
  'user-has-numbers-as-texts + role-of-first-user-reset-by-name-and-email': 'roles that are texts are not compared',
};
