import { isUtf8 } from 'node:buffer';
import { parsedJson } from '../../common/json.ts';
import { percentDecoded } from '../../common/text.ts';
import { requestSchemaOf } from '../../contract/document.ts';
import type { Validators } from '../../contract/validators.ts';
import { isSafe, type RequestSpec, sentBody } from '../http/exchange.ts';
import type { Effect } from './effect.ts';
import { DECLARED_MEMBERS, type Inputs, namedAs, namedId } from './inputs.ts';
import { pathId } from './requests.ts';

/** The suite itself went wrong: what it meant as valid is not, or the reverse. It says nothing of the target. */
export class SuiteError extends Error {}

/** Whether some server may read a text as an integer. Where a number is too large for its fraction, the text decides. */
function mayBeInteger(text: string): boolean {
  const hasFraction = /^[+-]?\d+\.\d*[1-9]\d*$/.test(text.trim());
  return text.trim() !== '' && !hasFraction && Number.isInteger(Number(text));
}

/** The plain decimal form of an integer that is spelled with a plus sign, leading zeros or a fraction of zeros. */
function plainForm(segment: string): string {
  return (percentDecoded(segment) ?? segment)
    .replace(/^\+/, '')
    .replace(/\.0+$/, '')
    .replace(/^(-?)0+(?=\d)/, '$1');
}

/** Why the path id is not what it is meant to be. */
function pathIdProblem(request: RequestSpec, inputs: Inputs, effect: Effect | undefined): string | undefined {
  const [open] = /\{\w+\}/.exec(request.path) ?? [];
  if (open !== undefined) return `${open} is left in the path: the request builder fills in {id} alone`;
  const segment = pathId(request);
  if (segment === undefined) return undefined;
  const { subject, meant, operation } = request;
  if (!effect) return `${operation} does not declare which resource its {id} names ("effect")`;
  const { resource, neutral } = effect;
  const id = namedAs(subject)?.resource === resource ? namedId(inputs, subject) : undefined;
  switch (meant.id) {
    case 'valid':
      return id !== undefined && segment === id ? undefined : `${segment} is not a ${resource} that the operator named`;
    case 'unspecified':
      if (subject === 'invalid-id') {
        const isNeutral = isSafe(request) || (neutral !== undefined && request.body === neutral);
        return isNeutral ? undefined : `${segment} may be the id of a ${resource}`;
      }
      return id !== undefined && plainForm(segment) === id ? undefined : `${segment} is not a spelling of a named id`;
    case 'invalid':
      return mayBeInteger(percentDecoded(segment) ?? segment) ? `${segment} may be read as an integer` : undefined;
  }
}

/**
 * Why the body is not what it is meant to be. Of a member whose values only the operator knows, the operator's declaration
 * decides, and not the schema: a target may take roles in a form of its own.
 */
function bodyProblem(request: RequestSpec, inputs: Inputs, validators: Validators): string | undefined {
  const { body = '', charset, meant } = request;
  const name = requestSchemaOf(request.operation);
  if (name === undefined) return undefined;
  const validate = validators.bodies[name];
  if (meant.body === 'invalid') {
    const isText = charset === undefined || isUtf8(Buffer.from(body, charset));
    const value = isText ? parsedJson(body) : undefined;
    return value !== undefined && validate(value).length === 0 ? 'the body is valid' : undefined;
  }
  const sent = sentBody(request);
  if (!sent) return 'the body is not a JSON object';
  const declared = Object.entries(DECLARED_MEMBERS).filter(([member]) => Object.hasOwn(sent, member));
  const [violation] = validate(sent).filter(
    ({ pointer }) => !declared.some(([member]) => pointer.split('/')[1] === member),
  );
  if (violation) return `the body is invalid: ${violation.pointer} ${violation.message}`;
  const undeclared = declared.find(
    ([member, input]) => !inputs[input]?.some((value) => JSON.stringify(value) === JSON.stringify(sent[member])),
  );
  return undeclared && `the operator did not declare this value of ${undeclared[0]}`;
}

/**
 * The last look at a request before it is sent: what is meant as valid is valid, what is meant as invalid is not,
 * and only what the operator named is addressed.
 *
 * @param effect of its operation
 * @throws SuiteError if one of these does not hold
 */
export function guardRequest(
  request: RequestSpec,
  inputs: Inputs,
  validators: Validators,
  effect: Effect | undefined,
): void {
  const problem = pathIdProblem(request, inputs, effect) ?? bodyProblem(request, inputs, validators);
  if (problem !== undefined) throw new SuiteError(`${request.purpose}: ${problem}`);
}
