import { isRecord, parsedJson, rememberingEach } from '../../common/json.ts';
import { responseSchemaOf } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import { pathId } from '../target/requests.ts';
import type { Evidence } from './evidence.ts';

/** Whether a value is what the operation of a request responds with if it accepts it. */
function isSuccess(value: unknown, { request }: Exchange, { validators }: Evidence): boolean {
  const schema = responseSchemaOf(request.operation);
  if (schema === undefined || !isRecord(value) || validators.bodies[schema](value).length > 0) return false;
  const id = pathId(request);
  return validators.bodies.errorSchema(value).length > 0 && (id === undefined || String(value.id) === id);
}

/** Whether a text is two JSON objects, one after the other: a handler wrote one, and then the next one. */
function isTwoObjects(text: string): boolean {
  const end = /\}\s*(?=\{)/.exec(text);
  const at = end ? end.index + end[0].length : 0;
  return at > 0 && [text.slice(0, at), text.slice(at)].every((part) => isRecord(parsedJson(part)));
}

/** Whether an error response shows that its request was carried out all the same: a forgotten `return` after the refusal. */
export function goesOn(exchange: Exchange, evidence: Evidence): boolean {
  const { status = 0, json, text = '' } = exchange.response ?? {};
  if (status < 400) return false;
  return json?.ok ? isSuccess(json.value, exchange, evidence) : isTwoObjects(text);
}

const statusesOf = rememberingEach(
  (evidence: Evidence) =>
    new Set(evidence.exchanges.filter((each) => goesOn(each, evidence)).map(({ response }) => response?.status)),
);

/** Names the deviation of a target that goes on after refusals with a status, if a response of the run shows it. */
export function goingOn(status: number | undefined, evidence: Evidence): string | undefined {
  return status !== undefined && statusesOf(evidence).has(status) ? `status.${status}-goes-on` : undefined;
}
