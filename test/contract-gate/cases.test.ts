import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { member, textOf } from '../../common/json.ts';
import { OUR_EXTENSIONS } from '../../contract-gate/requirements-diff.ts';
import { judgementOf, ownChanges } from '../../openapi-judge/src/index.ts';
import {
  casesFrom,
  described,
  disagreements,
  notationsOf,
  withThoseBeside,
  type Document,
  type Json,
  type JsonObject,
  type Start,
} from '../../openapi-judge/test/cases.ts';
import { casesBeside } from '../support/data.ts';
import { read } from '../support/repository.ts';

const text = read('openapi.yaml');

/** A document with its shared parameters where they are used, so that a case can edit the parameter of one operation. */
function withOwnParameters(document: Document): Document {
  const shared = (document.components as JsonObject | undefined)?.parameters as JsonObject | undefined;
  const own = (_key: string, value: Json): Json => {
    const reference = textOf(member(value, '$ref')) ?? '';
    return shared?.[reference.replace('#/components/parameters/', '')] ?? value;
  };
  return JSON.parse(JSON.stringify(document, own)) as Document;
}

const asWritten = parse(text) as Document;
/** Without operations that no case names: so a case may speak of every operation. */
const NAMED = [
  ['/api/admin/user-admin/{id}', 'put'],
  ['/api/admin/banners', 'get'],
] as const;
const paths = asWritten.paths as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
const namedPaths = NAMED.map(([path, method]) => {
  const { parameters: shared, [method]: operation } = paths[path] ?? {};
  // What the operations of a path share stands in each of them.
  return [path, { [method]: { ...(shared && { parameters: shared }), ...operation } }] as const;
});
const contract = withOwnParameters({ ...asWritten, paths: Object.fromEntries(namedPaths) });
const { places, ...entries } = casesBeside(import.meta.url) as { readonly places: Start['places'] };
const written = casesFrom({ places, documents: { contract } }, 'contract', entries);
const cases = withThoseBeside([...written, ...notationsOf(text)]);

describe('the changes of this contract', () => {
  it('are 222', () => expect(cases).toHaveLength(222));

  it.each(cases)('$name', (each) => {
    const judgement = judgementOf(
      ownChanges(described('base', each.base), described('head', each.head), OUR_EXTENSIONS),
    );
    expect(disagreements(each, judgement)).toEqual([]);
  });
});
