import { member } from '../../../common/json.ts';
import { change, type Change } from '../change.ts';
import { partAt, type Located, type MaybeLocated } from '../documents/description.ts';
import { diffSchemas } from '../schemas/schema-diff.ts';
import { effectOfDifference, type Medium, type Part } from '../schemas/difference.ts';
import type { Conjunction } from '../schemas/values/value-set.ts';

/** An operation with the path item that it stands in. */
export interface Operation {
  readonly path: string;
  readonly name: string;
  readonly item: Located;
  /** What of the path stands in the addresses of the servers; the other document has it in the path. */
  readonly moved: string;
  readonly operation: Located;
}

/** A part that became required breaks the sender; one that became optional breaks the receiver. */
export function diffRequired(
  rule: 'parameter' | 'header' | 'request-body',
  before: Located,
  after: Located,
  { name, sender }: Pick<Part, 'name' | 'sender'>,
): Change[] {
  if (isRequired(before) === isRequired(after)) return [];
  return isRequired(after)
    ? [change(`${rule}-required`, after, `${name} is required now`, sender)]
    : [change(`${rule}-optional`, after, `${name} is no longer required`, sender)];
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
  return diffSchemas(before, after, part, medium).map((each) =>
    change(each.rule, each.at, each.message, effectOfDifference(each, part.sender)),
  );
}
