import { change, effectOn, type Change } from '../change.ts';
import { diffEntries, follow, partAt, type Description, type Located } from '../description.ts';
import { arrayOf, below, isRecord, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import type { Operation } from './value-diff.ts';

/** The credentials that are required together: each scheme with each scope is one item. */
type Credentials = ReadonlySet<string>;

/** The credentials of which an operation requires some, and where that stands. */
function securityOf({ operation }: Operation) {
  const { description } = operation;
  const root: Located = { description, pointer: '', value: description.root };
  const place = [operation, root].map((each) => partAt(each, 'security')).find(({ value }) => value !== undefined);
  const required = arrayOf(place?.value);
  const alternatives = required.length === 0 ? [{}] : required;
  return {
    place: place ?? operation,
    alternatives: alternatives.map((each) => credentials(description, objectOf(each))),
  };
}

function schemeOf(description: Description, name: string): unknown {
  const pointer = below('/components/securitySchemes', name);
  const schemes = member(member(description.root, 'components'), 'securitySchemes');
  return follow({ description, pointer, value: member(schemes, name) }).value;
}

/** What a scheme requires of a request, without its name and its description. */
function schemeForm(description: Description, name: string): string {
  const scheme = schemeOf(description, name);
  if (!isRecord(scheme)) return `undefined scheme ${name}`;
  const type = textOf(scheme.type) ?? '';
  const place = textOf(scheme.in) ?? '';
  const called = textOf(scheme.name) ?? '';
  switch (type) {
    case 'apiKey':
      return `API key in ${place} ${place === 'header' ? called.toLowerCase() : called}`;
    case 'http':
      return `HTTP ${(textOf(scheme.scheme) ?? '').toLowerCase()}`;
    case 'openIdConnect':
      return `OpenID Connect ${textOf(scheme.openIdConnectUrl) ?? ''}`;
    case 'oauth2':
      return 'OAuth 2';
    default:
      return type;
  }
}

function credentials(description: Description, requirement: Readonly<Record<string, unknown>>): Credentials {
  return new Set(
    Object.entries(requirement).flatMap(([name, scopes]) => {
      const form = schemeForm(description, name);
      return [form, ...arrayOf(scopes).map((scope) => `${form} scope ${String(scope)}`)];
    }),
  );
}

function within(inner: Credentials, outer: Credentials): boolean {
  return [...inner].every((each) => outer.has(each));
}

function show(alternatives: readonly Credentials[]): string {
  return alternatives.map((each) => (each.size === 0 ? 'nothing' : [...each].join(' and '))).join(', or ');
}

/**
 * Compares the credentials that an operation requires.
 *
 * Clients break if credentials that were enough no longer are. Implementers break if credentials are enough that were not,
 * and if a server has to require more than before: one that still accepts every request does not conform.
 */
export function diffSecurity(was: Operation, is: Operation): Change[] {
  const before = securityOf(was);
  const after = securityOf(is);
  const refused = before.alternatives.filter((old) => !after.alternatives.some((each) => within(each, old)));
  const opened = after.alternatives.filter((now) => !before.alternatives.some((each) => within(each, now)));
  const stricter = refused.some((old) => after.alternatives.some((each) => within(old, each)));
  const flows = diffFlows(was, is);
  if (refused.length === 0 && opened.length === 0) return flows;
  const effect = effectOn('client', [refused.length > 0, opened.length > 0 || stricter]);
  const rule =
    refused.length === 0 ? 'security-loosened' : opened.length === 0 ? 'security-tightened' : 'security-changed';
  const message = `the required credentials change from ${show(before.alternatives)} to ${show(after.alternatives)}`;
  return [change(rule, after.place, message, effect), ...flows];
}

/** The OAuth 2 flows of the schemes that an operation uses, with the addresses where tokens come from. */
function flowsOf({ operation }: Operation) {
  const { description } = operation;
  const found = new Map<string, { readonly place: Located; readonly urls: string }>();
  const used = arrayOf(member(operation.value, 'security') ?? description.root.security);
  for (const name of new Set(used.flatMap((each) => Object.keys(objectOf(each))))) {
    const scheme = schemeOf(description, name);
    for (const [flow, value] of Object.entries(objectOf(member(scheme, 'flows')))) {
      if (!isRecord(value)) continue;
      const urls = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'].map((key) => value[key]);
      const pointer = below('/components/securitySchemes', name, 'flows', flow);
      found.set(flow, { place: { description, pointer, value }, urls: stableJson(urls) });
    }
  }
  return found;
}

function diffFlows(was: Operation, is: Operation): Change[] {
  const [before, after] = [flowsOf(was), flowsOf(is)];
  // If OAuth is added or removed as a whole, the change of the credentials says so.
  if (before.size === 0 || after.size === 0) return [];
  return diffEntries(before, after, {
    gone: ({ place }, flow) => change('oauth-flow-removed', place, `the flow ${flow} is gone`),
    come: ({ place }, flow) => change('oauth-flow-added', place, `the flow ${flow} is new: a server has to offer it`),
    both: (old, { place, urls }, flow) =>
      old.urls === urls ? [] : [change('oauth-flow-changed', place, `the addresses of the flow ${flow} change`)],
  });
}
