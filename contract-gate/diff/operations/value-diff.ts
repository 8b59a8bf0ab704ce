import { member } from '../../../common/json.ts';
import { change, type Change, type Effect } from '../change.ts';
import { child, children, partAt, placeOf, type Located, type MaybeLocated } from '../description.ts';
import { diffSchemas } from '../schemas/schema-diff.ts';
import { effectOnSides, type Medium } from '../schemas/difference.ts';
import type { Conjunction, Sender } from '../schemas/value-set.ts';

/** A part of a message, as changes name it. */
export interface Part {
  readonly name: string;
  /** Who sends the message. */
  readonly sender: Sender;
  /** Whether it is sent always. */
  readonly given: boolean;
}

/** Whom a change breaks, by the roles in a message. */
export function sides(sender: Sender, broken: { readonly sender?: boolean; readonly receiver?: boolean }): Effect {
  const clients = sender === 'client' ? broken.sender : broken.receiver;
  const implementers = sender === 'client' ? broken.receiver : broken.sender;
  return { clients: clients ? 'breaking' : 'compatible', implementers: implementers ? 'breaking' : 'compatible' };
}

/** A part that became required breaks the sender; one that became optional breaks the receiver. */
export function diffRequired(
  before: Located,
  after: Located,
  sender: Sender,
  texts: {
    readonly rule: 'parameter' | 'header' | 'request-body';
    readonly required: string;
    readonly optional: string;
  },
): Change[] {
  const [was, is] = [isRequired(before), isRequired(after)];
  if (was === is) return [];
  return is
    ? [change(`${texts.rule}-required`, placeOf(after), sides(sender, { sender: true }), texts.required)]
    : [change(`${texts.rule}-optional`, placeOf(after), sides(sender, { receiver: true }), texts.optional)];
}

/** Whether a parameter, header or body has to be sent. */
export function isRequired(located: MaybeLocated): boolean {
  return member(located?.value, 'required') === true;
}

/** The schema of a parameter, header or media type. */
export function schemaAt(located: MaybeLocated): Conjunction {
  const schema = located && partAt(located, 'schema');
  return schema?.value === undefined ? [] : [schema];
}

/** Changes of a schema, as clients and implementers see them. */
export function diffValue(before: Conjunction, after: Conjunction, part: Part, medium: Medium): Change[] {
  const { sender, name, given } = part;
  return diffSchemas(before, after, sender, name, medium, given).map((each) =>
    change(each.rule, placeOf(each.at), effectOnSides(each, sender), each.message),
  );
}

/** The first media type of what has a `content`, with its entry. */
export function firstContent(located: Located): readonly [string, Located] | undefined {
  const [entry] = children(child(located, 'content'));
  return entry;
}
