import { isDeepStrictEqual } from 'node:util';
import { rememberingEach } from '../../common/json.ts';
import { type JsonSchema, type Requirement, schema, type SchemaName } from '../../contract/document.ts';
import { type Exchange, inWords, isSafe, overlap, sends, sentBody } from '../http/exchange.ts';
import { acrossOperations, type Check, controlsOf, type Judgement } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import type { Violation } from '../../contract/validators.ts';
import { anyBlockedOrUnsent, failed, notApplicable, passed, successes } from '../judging/outcomes.ts';
import { operations } from '../operations/index.ts';
import type { Operation, ShownObject } from '../traffic/operation.ts';

const WRONG_TYPE =
  'The member has a different type or format than in the contract. Send it as the contract says, or leave it out if it is not required.';
const WRONG_SAMPLE_TYPE =
  'The member has a different type than in the sample of the source. Use the type of the sample or null, or leave the member out.';

interface Member {
  readonly name: string;
  readonly schemaName: SchemaName;
  /** What an object that has it is called. */
  readonly object: string;
  /** What the contract says of it. */
  readonly text: string;
  readonly isRequired: boolean;
  /** Whether null stands for a member that is left out. */
  readonly isSample: boolean;
}

/**
 * Whether a response shows what an earlier request sent that should have been refused. That it was stored is another failure, and
 * the target did not make the value itself.
 */
function isStoredInvalid(name: string, value: unknown, shown: Exchange, { exchanges }: Evidence): boolean {
  return exchanges.some(({ request, startedAt }) => {
    const sent = request.meant.body === 'invalid' && startedAt < shown.startedAt ? sentBody(request) : undefined;
    return sent !== undefined && Object.hasOwn(sent, name) && isDeepStrictEqual(sent[name], value);
  });
}

/** The requirement on the member of a schema, if it has one. */
function requirementOf(definition: JsonSchema): Requirement[] {
  return ((definition['x-requirements'] ?? []) as Requirement[]).slice(0, 1);
}

function checkIdOf(requirement: string): string {
  return requirement.replace('.', '-');
}

/** How a value is wrong: null, or a value of one type in place of another one. */
function wayOf(value: unknown, [violation]: readonly Violation[]): string | undefined {
  if (!violation) return undefined;
  return value === null ? 'null' : `${typeof value} ${violation.message.split(' or ')[0] ?? ''}`;
}

/**
 * The members before this one in the schema that are wrong in the same object in the same way: a server that shows numbers as
 * texts, absent values as null or times in a format of its own does so everywhere.
 */
function membersWrongAlike(
  name: string,
  schemaName: SchemaName,
  value: ShownObject['value'],
  { validators }: Evidence,
): Requirement[] {
  const way = (member: string): string | undefined =>
    Object.hasOwn(value, member)
      ? wayOf(value[member], validators.members[schemaName].get(member)?.(value[member]) ?? [])
      : undefined;
  const members = Object.entries(schema(schemaName).properties);
  const earlier = members.slice(
    0,
    members.findIndex(([member]) => member === name),
  );
  return earlier.flatMap(([member, definition]) => (way(member) === way(name) ? requirementOf(definition) : []));
}

/** Whether a null in the response to an update may stand for a value that was lost: it, or one at the same time, does not send the member. */
function mayHaveLost(exchange: Exchange, name: string, { exchanges }: Evidence): boolean {
  const { subject, operation } = exchange.request;
  const isRival = (other: Exchange): boolean =>
    other.request.subject === subject && other.request.operation === operation && !isSafe(other.request);
  return (
    !sends(exchange, name) ||
    exchanges.some((other) => isRival(other) && !sends(other, name) && overlap(exchange, other))
  );
}

/** The failure of an object whose member does not conform, with what else would explain it. */
function wrongMember(
  { name, schemaName, text }: Member,
  { value, pointer }: ShownObject,
  violation: Violation,
  exchange: Exchange,
  showing: readonly Operation[],
  evidence: Evidence,
): Judgement {
  const place = `${pointer}/${name}`;
  const message = `${pointer === '' ? name : place} is ${inWords(value[name])}; it ${violation.message}.`;
  const failure = { mode: 'wrong-type', expected: text, actual: value[name], message };
  const isLost = value[name] === null && mayHaveLost(exchange, name, evidence);
  const restsOn = isLost ? showing.flatMap(({ shows }) => shows.explainedBy?.(name, 'lost') ?? []) : [];
  const sameFaultAs = membersWrongAlike(name, schemaName, value, evidence).map(({ id }) => checkIdOf(id));
  return { ...failed({ ...failure, pointer: place + violation.pointer }, exchange), restsOn, sameFaultAs };
}

function judgeMember(member: Member, showing: readonly Operation[], evidence: Evidence): Judgement {
  const { name, schemaName, object, text, isRequired, isSample } = member;
  const validate = evidence.validators.members[schemaName].get(name);
  const bodies = showing.flatMap(({ id, shows }) =>
    successes(evidence, id).map((exchange) => ({ exchange, objects: shows.objects(exchange) })),
  );
  const isShown = (value: ShownObject['value']): boolean =>
    Object.hasOwn(value, name) && !(isSample && value[name] === null);
  const look = rememberingEach((objects: readonly ShownObject[]) => ({
    having: objects.some(({ value }) => isShown(value)),
    without: isRequired ? objects.find(({ value }) => !isShown(value)) : undefined,
    wrong: objects.find(({ value }) => isShown(value) && (validate?.(value[name]) ?? []).length > 0),
  }));
  const looks = bodies
    .flatMap(({ exchange, objects }) => (objects ? [{ exchange, ...look(objects) }] : []))
    .filter(({ exchange, wrong }) => !wrong || !isStoredInvalid(name, wrong.value[name], exchange, evidence));
  // Where a member is null although it was just sent, and no other update was under way, it was not lost.
  const wrong = looks.filter((each) => each.wrong);
  const worst = wrong.find(({ exchange }) => !mayHaveLost(exchange, name, evidence)) ?? wrong[0];
  const [violation] = validate?.(worst?.wrong?.value[name]) ?? [];
  if (worst?.wrong && violation) return wrongMember(member, worst.wrong, violation, worst.exchange, showing, evidence);
  const without = looks.find((each) => each.without);
  if (without?.without) {
    const pointer = `${without.without.pointer}/${name}`;
    const message = `The 200 body has no \`${pointer.slice(1)}\`.`;
    return failed({ mode: 'missing', expected: text, actual: null, pointer, message }, without.exchange);
  }
  if (bodies.every(({ objects }) => objects === undefined)) {
    const ids = showing.map(({ id }) => id);
    return anyBlockedOrUnsent(evidence, ids, `no response showed a ${object}`);
  }
  const having = looks.find((each) => each.having);
  return having ? passed([having.exchange]) : notApplicable(`no response showed a ${object} with \`${name}\``);
}

/** A check for each member of a schema that has a requirement, wherever a 200 body of the run shows it. */
function memberChecks({ shown, shows: { schema: schemaName, object, restsOn: shape } }: Operation): Check[] {
  const showing = operations.filter(({ shows }) => shows.schema === schemaName);
  const { properties, required = [] } = schema(schemaName);
  return Object.entries(properties).flatMap(([name, definition]: [string, JsonSchema]) => {
    const [requirement] = requirementOf(definition);
    if (!requirement) return [];
    const { id, level, text } = requirement;
    const isRequired = required.includes(name);
    const isSample = 'x-sample-type' in definition;
    return acrossOperations(controlsOf(showing), {
      id: checkIdOf(id),
      area: shown,
      level,
      requirements: [id],
      title: text.replace(/\.$/, ''),
      restsOn: shape,
      failureModes: {
        'wrong-type': isSample ? WRONG_SAMPLE_TYPE : WRONG_TYPE,
        ...(isRequired
          ? { missing: `The required member is missing in a response. Send it with every ${object}.` }
          : {}),
      },
      judge: (evidence) => judgeMember({ name, schemaName, object, text, isRequired, isSample }, showing, evidence),
    });
  });
}

/** What each member of a shown object must look like, for every schema that an operation shows. Source: Resources. */
export const shownMemberChecks: readonly Check[] = operations
  .filter(({ shows }, index) => operations.findIndex((each) => each.shows.schema === shows.schema) === index)
  .flatMap(memberChecks);
