import { arrayOf, below, isRecord, member, objectOf, stableJson, textOf } from '../../../common/json.ts';
import { change, effectOn, type Change, type Sender } from '../change.ts';
import { diffEntries, follow, partAt, type Description, type Located } from '../documents/description.ts';
import type { Operation } from './value-diff.ts';

/** The credentials that are required together: each scheme with each scope is one item. */
type Credentials = ReadonlySet<string>;

/** The credentials of which an operation requires some, and where that stands. */
function securityOf({ operation }: Operation, providers: readonly Provider[], sender: Sender) {
  const { description } = operation;
  const root: Located = { description, pointer: '', value: description.root };
  // Nobody means that the requests of a server carry the credentials of its clients.
  const holders = sender === 'client' ? [operation, root] : [operation];
  const place = holders.map((each) => partAt(each, 'security')).find(({ value }) => value !== undefined);
  const required = arrayOf(place?.value);
  const alternatives = required.length === 0 ? [{}] : required;
  return {
    place: place ?? operation,
    alternatives: alternatives.map((each) => credentials(description, objectOf(each), providers)),
  };
}

function schemeOf(description: Description, name: string): unknown {
  const pointer = below('/components/securitySchemes', name);
  const schemes = member(member(description.root, 'components'), 'securitySchemes');
  return follow({ description, pointer, value: member(schemes, name) }).value;
}

/** What a scheme requires of a request, without its name and its description. */
function schemeForm(description: Description, name: string, providers: readonly Provider[]): string {
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
      return providers.find((each) => each.name === name)?.label ?? 'OAuth 2';
    default:
      return type;
  }
}

function credentials(
  description: Description,
  requirement: Readonly<Record<string, unknown>>,
  providers: readonly Provider[],
): Credentials {
  return new Set(
    Object.entries(requirement).flatMap(([name, scopes]) => {
      const form = schemeForm(description, name, providers);
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
 * Compares the credentials that an operation requires of the requests of this sender.
 *
 * Senders break if credentials that were enough no longer are. Receivers break if credentials are enough that were not;
 * servers also if they have to require more than before: one that still accepts every request does not conform.
 */
export function diffSecurity(was: Operation, is: Operation, sender: Sender): Change[] {
  const [oldProviders, newProviders] = providersOfBoth(was, is);
  const before = securityOf(was, oldProviders, sender);
  const after = securityOf(is, newProviders, sender);
  const refused = before.alternatives.filter((old) => !after.alternatives.some((each) => within(each, old)));
  const opened = after.alternatives.filter((now) => !before.alternatives.some((each) => within(each, now)));
  const stricter = sender === 'client' && refused.some((old) => after.alternatives.some((each) => within(old, each)));
  const flows = sender === 'client' ? diffFlows(oldProviders, newProviders) : [];
  if (refused.length === 0 && opened.length === 0) return flows;
  const effect = effectOn(sender, [refused.length > 0, opened.length > 0 || stricter]);
  const rule =
    refused.length === 0 ? 'security-loosened' : opened.length === 0 ? 'security-tightened' : 'security-changed';
  const parts = [
    ...(refused.length > 0 ? [`${show(refused)}: no longer enough`] : []),
    ...(opened.length > 0 ? [`${show(opened)}: enough now`] : []),
  ];
  const message = `the required credentials change: ${parts.join('; ')}`;
  return [change(rule, after.place, message, effect), ...flows];
}

/** An OAuth 2 scheme that an operation uses. */
interface Provider {
  readonly name: string;
  /** The same for a scheme of the older document and for what became of it. */
  readonly label: string;
  readonly flows: ReadonlyMap<string, Flow>;
  /** Where the tokens of all flows come from. */
  readonly addresses: string;
}

interface Flow {
  readonly place: Located;
  /** Where tokens come from. */
  readonly urls: string;
  readonly scopes: readonly string[];
}

const ADDRESSES = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'];

function providersOf({ operation }: Operation): readonly Provider[] {
  const { description } = operation;
  const used = arrayOf(member(operation.value, 'security') ?? description.root.security);
  return [...new Set(used.flatMap((each) => Object.keys(objectOf(each))))].flatMap((name) => {
    const scheme = schemeOf(description, name);
    if (member(scheme, 'type') !== 'oauth2') return [];
    const flows = Object.entries(objectOf(member(scheme, 'flows'))).filter(([, value]) => isRecord(value));
    const read = flows.map(([flow, value]): [string, Flow] => {
      const pointer = below('/components/securitySchemes', name, 'flows', flow);
      const urls = [...ADDRESSES.map((key) => member(value, key)), member(scheme, 'oauth2MetadataUrl')];
      const scopes = Object.keys(objectOf(member(value, 'scopes')));
      return [flow, { place: { description, pointer, value }, urls: stableJson(urls), scopes }];
    });
    const addresses = stableJson(Object.fromEntries(read.map(([flow, { urls }]) => [flow, urls])));
    return [{ name, label: `OAuth 2 (${name})`, flows: new Map(read), addresses }];
  });
}

/** An older scheme is called as what became of it: the newer one of its name, or with its addresses. */
function providersOfBoth(was: Operation, is: Operation): readonly [readonly Provider[], readonly Provider[]] {
  const after = providersOf(is);
  const before = providersOf(was).map((old) => {
    const now = after.find(({ name }) => name === old.name) ?? after.find((each) => each.addresses === old.addresses);
    return { ...old, label: now?.label ?? old.label };
  });
  return [before, after];
}

function diffFlows(before: readonly Provider[], after: readonly Provider[]): Change[] {
  return after.flatMap(({ label, flows }) => {
    const old = before.find((each) => each.label === label);
    // If a scheme is added or removed as a whole, the change of the credentials says so.
    if (old === undefined) return [];
    return diffEntries(old.flows, flows, {
      gone: ({ place }, flow) => change('oauth-flow-removed', place, `${label}: the flow ${flow} is gone`),
      come: ({ place }, flow) =>
        change('oauth-flow-added', place, `${label}: the flow ${flow} is new: a server has to offer it`),
      both: (was, is, flow) => {
        const name = `${label}, flow ${flow}`;
        const addresses = ADDRESSES.flatMap((key) => {
          const [old, now] = [was, is].map(({ place }) => textOf(member(place.value, key)) ?? 'none');
          return old === now ? [] : [`${key} from ${old ?? ''} to ${now ?? ''}`];
        });
        const moved = `${name}: the addresses change: ${addresses.join(', ') || 'oauth2MetadataUrl'}`;
        const [gone, come] = [lacking(was.scopes, is.scopes), lacking(is.scopes, was.scopes)];
        const scopes = `${name}: the scopes change: gone: ${gone || 'none'}; new: ${come || 'none'}`;
        return [
          ...(was.urls === is.urls ? [] : [change('oauth-flow-changed', is.place, moved)]),
          ...(gone === come ? [] : [change('oauth-scopes-changed', is.place, scopes)]),
        ];
      },
    });
  });
}

/** Those of some names that are not among others. */
function lacking(some: readonly string[], others: readonly string[]): string {
  return some.filter((each) => !others.includes(each)).join(', ');
}
