/** What the parts of an operation have in common: that they are required, and the values that they carry. */
import { member } from '../../../common/json.ts';
import { change, type Change, type Sender } from '../change.ts';
import { partAt, type Located, type MaybeLocated } from '../documents/description.ts';
import { diffSchemas } from '../schemas/compare.ts';
import { effectOfDifference, type Medium, type Part } from '../schemas/difference.ts';
import type { Conjunction } from '../schemas/values/value-set.ts';

/** An operation with the path item that it stands in. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly name: string;
  readonly item: Located;
  /** What of the path stands in the addresses of the servers; the other document has it in the path. */
  readonly moved: string;
  readonly operation: Located;
}

/** The same operation in both documents, and who sends its requests. */
export interface OperationPair {
  readonly was: Operation;
  readonly is: Operation;
  readonly sender: Sender;
}

const RULES = {
  parameter: { required: 'parameter-required', optional: 'parameter-optional' },
  header: { required: 'header-required', optional: 'header-optional' },
  body: { required: 'request-body-required', optional: 'request-body-optional' },
} as const;

/** A part that became required breaks the sender; one that became optional breaks the receiver. */
export function diffRequired(
  kind: keyof typeof RULES,
  before: Located,
  after: Located,
  { name, sender }: Pick<Part, 'name' | 'sender'>,
): Change[] {
  if (isRequired(before) === isRequired(after)) return [];
  const { required, optional } = RULES[kind];
  return isRequired(after)
    ? [change(required, after, { where: name, fact: 'is required now' }, sender)]
    : [change(optional, after, { where: name, fact: 'is no longer required' }, sender)];
}

/** Whether a parameter, header or body has to be sent. */
export function isRequired(located: MaybeLocated): boolean {
  return member(located?.value, 'required') === true;
}

/** The schema of a parameter, header or media type. */
export function schemaAt(located: MaybeLocated, keyword: 'schema' | 'itemSchema' = 'schema'): Conjunction {
  const schema = located && partAt(located, keyword);
  return schema?.value === undefined ? [] : [schema];
}

/** Changes of a schema, as clients and implementers see them. */
export function diffValue(before: Conjunction, after: Conjunction, part: Part, medium: Medium): Change[] {
  return diffSchemas(before, after, part, medium).map((each) => {
    const { rule, at, path, fact, reference, digest } = each;
    const said = { where: `${part.name}${path}`, fact };
    const made = change(rule, at, said, effectOfDifference(each, part.sender));
    const found = digest === undefined ? made : { ...made, digest };
    if (reference === undefined) return found;
    return { ...found, reference: { ...reference, where: `${part.name}${reference.where}` } };
  });
}
