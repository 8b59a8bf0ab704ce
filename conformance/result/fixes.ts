import { isRecord } from '../../common/json.ts';
import type { Check } from '../judging/check.ts';
import { wrongTypes } from '../model/causes.ts';
import type { Deviation } from '../model/facts.ts';
import { type Defect, defectsOf, statusOf } from '../model/record.ts';

const here = (what: string): string =>
  `Refuse ${what} here: check the type of what was sent before anything is made of it. Parsers and validators that convert types let it pass.`;

/** How to refuse a body, by what is wrong with it. */
const BODIES: Readonly<Record<string, string>> = {
  absent:
    'Refuse a request without a body. Some frameworks hand over an empty object then: look at the body as it came, or at its length.',
  bytes:
    'Decode the body as strict UTF-8, and refuse it if that fails. Most decoders put U+FFFD in the place of what they cannot read, unless they are told to fail.',
  unreadable: 'Refuse a body that is not JSON with 400. Do not take it for an empty one.',
  null: 'Refuse `null`, which is another thing than a member that was left out. Validators let both pass where a member is optional.',
  number: here('a number'),
  boolean: here('a boolean'),
  array: here('an array'),
  object: here('an object'),
  string: here('a text'),
};

const STRICT_JSON =
  'The parser is lenient. Set it to its strict mode, or use one that takes JSON alone (RFC 8259) and refuses what follows the value.';

/** How to refuse a request, by its defect. */
const DEFECTS: Readonly<Record<Exclude<Defect, 'body'>, string>> = {
  key: 'Check the key before anything else, for every method and every path, and respond with 401 unless the whole header is a key that you issued.',
  permission: 'Ask whether the key has the permission before anything is done, and respond with 403 if it has not.',
  id: 'Take the whole segment of the path as the id, and refuse it unless it is an integer. Functions such as parseInt, and databases, stop at the first letter.',
  missing: 'Look the user up first, and respond with 404 if there is none. An update must not create one.',
};

/** What a status comes from that is not the one that is due. */
function ofWrongStatus(due: number, actual: number): string {
  if (actual >= 500)
    return 'The code fails at this request, and the framework makes a 5xx status of it. Catch this case.';
  if (due === 401 && actual === 403)
    return 'Without a valid key the status is 401, also where the framework has no way to log in; keep 403 for valid keys without the permission.';
  if (due === 401) return 'Check the key before the body is read and the user is looked up.';
  if (actual === 401)
    return 'The key is valid. Look for what makes 401 of other refusals, such as a page of errors that needs a key itself.';
  if (actual === 422) return 'The validator of the framework has this status by default. Set another one.';
  return 'The request was refused, but not with the status of the contract.';
}

/** What to do about the ways to fail that tell their cause; undefined where the check has to say it. */
function ofCause({ mode, x, actual, requirements }: Deviation): string | undefined {
  const { due } = x.request;
  const [defect] = defectsOf(x.request);
  if (mode === 'damaged')
    return 'After the request, valid requests to the user fail. Store only what can be read again, or refuse it with 400.';
  if (mode === 'wrong-error-body' && isRecord(actual) && !Object.hasOwn(actual, 'id'))
    return 'It looks like the error that the framework makes by itself. Give it one handler for all errors, those of its router, its parser and its validator too, which makes an object with the strings `id`, `name` and `message`.';
  if (due.class !== 'refuse' || defect === undefined) return undefined;
  if (mode === 'wrong-status')
    return `${ofWrongStatus(due.statuses[0] ?? 0, statusOf(x))} Respond with ${due.statuses.length > 3 ? 'a 4xx status' : due.statuses.join(' or ')}.`;
  if (mode !== 'accepted') return undefined;
  if (defect !== 'body') return DEFECTS[defect];
  const [type = ''] = wrongTypes(x);
  return requirements[0] === 'request-body.strict-json' ? STRICT_JSON : BODIES[type];
}

/** What to do about a deviation, as one or two sentences. */
export function fixOf(deviation: Deviation, check: Check | undefined): string {
  return ofCause(deviation) ?? check?.failureModes[deviation.mode] ?? '';
}
