import { arrayOf, isRecord, objectOf, textOf, type JsonObject as Schema } from '../common/json.ts';
import { html, join, prose, type Content, type Html } from '../common/html.ts';
import { table } from './parts.ts';

/** The address of a schema that a `$ref` names, by its last part. */
type AddressOf = (name: string) => string;

function values(list: readonly unknown[]): Html {
  return join(
    list.map((each) => html`<code>${JSON.stringify(each)}</code>`),
    ' or ',
  );
}

/** The type of a value in a few words, with links to the schemas that it names. */
export function typeOf(schema: Schema, addressOf: AddressOf): Content {
  const { $ref, type, enum: several, const: only, items, oneOf, anyOf } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="${addressOf(name)}">${name}</a>`;
  }
  if (Array.isArray(several)) return values(several);
  if (only !== undefined) return values([only]);
  const choices = oneOf ?? anyOf;
  if (Array.isArray(choices))
    return join(
      choices.map((each) => html`${typeOf(objectOf(each), addressOf)}`),
      ' or ',
    );
  if (type === 'array' && isRecord(items) && Object.keys(items).length > 0)
    return html`array of ${typeOf(items, addressOf)}`;
  if (type === undefined) return 'any value';
  const words = [type]
    .flat()
    .map((each) => textOf(each) ?? '')
    .join(' or ');
  return typeof schema.format === 'string' ? `${words}, ${schema.format}` : words;
}

interface Member {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The members of an object, and those of the objects that it contains. */
function membersOf(schema: Schema, prefix = ''): Member[] {
  const required = arrayOf(schema.required);
  return Object.entries(objectOf(schema.properties)).flatMap(([name, value]) => {
    const path = prefix + name;
    const own = objectOf(value);
    const isRequired = required.includes(name);
    const inner = [...membersOf(own, `${path}.`), ...membersOf(objectOf(own.items), `${path}[].`)];
    return [{ path, schema: own, isRequired }, ...inner];
  });
}

/**
 * The members of an object as a table.
 *
 * @param notes what else to say of a member
 */
export function membersTable(
  caption: string,
  schema: Schema,
  addressOf: AddressOf,
  notes: (member: Schema) => Content = () => undefined,
): Html {
  const rows = membersOf(schema).map(({ path, schema: own, isRequired }): Content[] => [
    html`<code>${path}</code
      >${isRequired && html` <span class="note">required</span>`}${own.deprecated === true && html` <span class="note">deprecated</span>`}`,
    typeOf(own, addressOf),
    html`${typeof own.description === 'string' && prose(own.description)}${notes(own)}`,
  ]);
  return table(caption, ['Member', 'Type', 'Meaning'], rows, { unseen: true });
}
