import { contractDocument, operationsIn, type Located } from '../../contract/document.ts';
import { html, prose, type Content, type Html } from '../../common/html.ts';
import { arrayOf, atPointer, objectOf, textOf, type JsonObject as Node } from '../../common/json.ts';
import { counted } from '../../common/text.ts';
import type { SiteData } from '../read.ts';
import type { Page, Part } from '../page.ts';
import { at, to } from '../places.ts';
import { definitions, folded, idLink, levelLabel, operationList, table } from '../parts.ts';
import { membersTable, typeOf } from '../schema.ts';

const addressOf = (name: string): string => `#schema/${name}`;

const words = (value: unknown): string => textOf(value)?.trim() ?? '';

const nodes = (value: unknown): Node[] => arrayOf(value).map(objectOf);

/** What a `$ref` leads to, or the object itself. */
function resolved(node: Node): Node {
  const reference = textOf(node.$ref);
  return reference === undefined ? node : resolved(objectOf(atPointer(contractDocument, reference.slice(1))));
}

/** The requirements and open points of an object, folded: their ids with links, and their texts. */
function itemsOf(node: Node): Html | undefined {
  const rows = (kind: string): (readonly [Html, Html])[] =>
    nodes(node[kind]).map(({ id, level, text }) => {
      const label = levelLabel(level === 'must' || level === 'should' ? level : 'open');
      return [html`${idLink(words(id), at.item(words(id)))} ${label}`, prose(words(text))];
    });
  const [requirements, openPoints] = [rows('x-requirements'), rows('x-open-points')];
  const counts = [
    ...(requirements.length > 0 ? [counted(requirements.length, 'requirement')] : []),
    ...(openPoints.length > 0 ? [counted(openPoints.length, 'open point')] : []),
  ];
  if (counts.length === 0) return undefined;
  return folded(counts.join(' and '), definitions([...requirements, ...openPoints], 'judged'));
}

const itemParts = (node: Node): Part[] => [itemsOf(node) ?? html``];

function heading(level: 2 | 3 | 4, id: string, title: Content): Html {
  return html`<h${level} id="${id}">${title}</h${level}>`;
}

/** The named examples of a body. */
function examples(media: Node): Part[] {
  return Object.values(objectOf(media.examples)).flatMap((each) => {
    const { summary, value } = objectOf(each);
    return [html`<p class="caption">${words(summary)}</p>`, `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``];
  });
}

/** The bodies of a request or a response: their schemas and examples. */
function bodies(node: Node): Part[] {
  return Object.entries(objectOf(node.content)).flatMap(([type, media]): Part[] => [
    html`<p><code>${type}</code>: ${typeOf(objectOf(objectOf(media).schema), addressOf)}</p>`,
    ...examples(objectOf(media)),
  ]);
}

function parameters(id: string, list: readonly Node[]): Part[] {
  if (list.length === 0) return [];
  const rows = list.map((each): Content[] => [
    html`<code>${words(each.name)}</code>${each.required === true && html` <span class="note">required</span>`}`,
    words(each.in),
    typeOf(objectOf(each.schema), addressOf),
    html`${prose(words(each.description))}${itemsOf(each)}`,
  ]);
  return [
    heading(3, `${id}/parameters`, 'Parameters'),
    table(`Parameters of ${id}`, ['Name', 'In', 'Type', 'Meaning'], rows, { unseen: true }),
  ];
}

function requestBody(id: string, node: unknown): Part[] {
  if (node === undefined) return [];
  const body = resolved(objectOf(node));
  return [heading(3, `${id}/request`, 'Request body'), words(body.description), ...itemParts(body), ...bodies(body)];
}

/** Responses with a body of their own in full, the shared ones as a table. */
function responses(id: string, { responses: all }: Node): Part[] {
  const entries = Object.entries(objectOf(all)).map(([status, node]) => [status, objectOf(node)] as const);
  const own = entries.filter(([, { $ref }]) => $ref === undefined);
  const shared = entries.filter(([, { $ref }]) => $ref !== undefined);
  const rows = shared.map(([status, node]): Content[] => {
    const response = resolved(node);
    const name = words(response['x-error-name']);
    return [status, html`<a href="#response/${name}"><code>${name}</code></a>`, prose(words(response.description))];
  });
  return [
    ...own.flatMap(([status, node]): Part[] => [
      heading(3, `${id}/${status}`, `Response ${status}`),
      words(node.description),
      ...itemParts(node),
      ...bodies(node),
    ]),
    heading(3, `${id}/errors`, 'Errors'),
    table(`Errors of ${id}`, ['Status', 'Name', 'Meaning'], rows, { unseen: true }),
  ];
}

function operationParts({ method, path, operation }: Located): Part[] {
  const { operationId: id, summary } = operation;
  const node = objectOf(operation);
  const shared = nodes(objectOf(contractDocument.paths[path]).parameters);
  const all = [...shared, ...nodes(node.parameters)].map(resolved);
  return [
    heading(2, `operation/${id}`, summary),
    html`<p class="route"><strong class="method ${method.toLowerCase()}">${method}</strong> <code>${path}</code></p>`,
    words(node.description),
    ...itemParts(node),
    ...parameters(id, all),
    ...requestBody(id, node.requestBody),
    ...responses(id, node),
  ];
}

function schemaParts([name, schema]: readonly [string, unknown]): Part[] {
  const node = objectOf(schema);
  return [
    heading(3, `schema/${name}`, html`<code>${name}</code>`),
    words(node.description),
    ...itemParts(node),
    membersTable(`Members of ${name}`, node, addressOf, itemsOf),
  ];
}

function errorParts(node: unknown): Part[] {
  const response = objectOf(node);
  const name = words(response['x-error-name']);
  return [
    heading(3, `response/${name}`, html`<code>${name}</code>`),
    words(response.description),
    ...itemParts(response),
    ...bodies(response),
  ];
}

function authentication(schemes: unknown): Part[] {
  return Object.values(objectOf(schemes)).flatMap((each) => {
    const scheme = objectOf(each);
    return [
      html`<p>A key in the ${words(scheme.in)} <code>${words(scheme.name)}</code>.</p>`,
      words(scheme.description),
      ...itemParts(scheme),
    ];
  });
}

/** The API: both operations with their schemas, examples, requirements and open points, read from the contract. */
export function referencePage({ contract, operations }: SiteData): Page {
  const { info, paths, components } = contractDocument;
  const shared = objectOf(components);
  return {
    path: 'reference.html',
    title: 'API reference',
    description: `${contract.title}: ${contract.summary}`,
    depth: 3,
    parts: [
      html`<p class="lead">
          ${contract.title} ${contract.version}, generated from <a href="${to('latest/openapi.yaml')}">openapi.yaml</a>.
        </p>
        ${operationList(operations)}`,
      ...operationsIn(paths).flatMap(operationParts),
      heading(2, 'authentication', 'Authentication'),
      ...authentication(shared.securitySchemes),
      heading(2, 'errors', 'Errors'),
      ...Object.values(components.responses).flatMap(errorParts),
      heading(2, 'schemas', 'Schemas'),
      ...Object.entries(components.schemas).flatMap(schemaParts),
      heading(2, 'contract', 'About the contract'),
      words(objectOf(info).description).replaceAll(/^## /gm, '### '),
      ...itemParts(objectOf(contractDocument)),
    ],
  };
}
