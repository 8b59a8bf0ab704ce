import { html, prose, type Html } from '../../common/html.ts';
import { objectOf, textOf } from '../../common/json.ts';
import type { SiteData } from '../read.ts';
import type { Page } from '../page.ts';
import { to } from '../places.ts';
import { section } from '../parts.ts';
import { membersTable, typeOf } from '../schema.ts';

const addressOf = (name: string): string => `#${name}`;

function definition([name, schema]: readonly [string, unknown]): Html {
  const own = objectOf(schema);
  const { description } = own;
  return section(
    name,
    name,
    html`${typeof description === 'string' && html`<p>${prose(description)}</p>`}
    ${own.properties === undefined ? html`<p>${typeOf(own, addressOf)}</p>` : membersTable(`Members of ${name}`, own, addressOf)}`,
  );
}

/** The JSON Schema of a result, as tables. */
export function resultPage({ resultSchema }: SiteData): Page {
  return {
    path: 'result.html',
    title: 'Result format',
    description: 'The members of the result of a run, from its JSON Schema.',
    parts: [
      html`<p class="lead">
          What <code>run --report json=FILE</code> writes and <code>--format json</code> prints.
          ${prose(textOf(resultSchema.description) ?? '')}
        </p>
        <p>
          <code>npx admin-api-conformance schema</code> prints the JSON Schema from which this page is made. See also
          <a href="${to('docs/reports.html')}">how to read a report</a>.
        </p>`,
      section('result', 'The result', membersTable('Members of the result', resultSchema, addressOf)),
      ...Object.entries(objectOf(resultSchema.$defs)).map(definition),
    ],
  };
}
