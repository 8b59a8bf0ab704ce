import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isRecord, rememberingEach } from '../../../common/json.ts';
import { schema } from '../../../contract/document.ts';
import { type Exchange, inWords, objectBody } from '../../http/exchange.ts';
import type { Resource } from '../resource.ts';

/** What the contract says of a banner; other members may change at any time. */
export const bannerMembers = Object.keys(schema('bannerSchema').properties);

/** The elements of the array `banners` of a response; undefined if it has no such array. */
export function bannersOf(exchange: Exchange): readonly unknown[] | undefined {
  const banners = objectBody(exchange)?.banners;
  return Array.isArray(banners) ? (banners as unknown[]) : undefined;
}

/** The banners: a list of all shows them. */
export const banners: Resource = { id: 'banner', members: bannerMembers, updatable: [] };

/** The same text for the same values in any order. Of a large list, the texts of all values would take much memory. */
function digestInAnyOrder(values: readonly unknown[], part: (value: unknown) => unknown): string {
  const digests = values.map((value) => hash('sha1', JSON.stringify(part(value)), 'base64'));
  return hash('sha1', digests.sort().join(), 'base64');
}

function known(banner: Record<string, unknown>): unknown[] {
  return bannerMembers.map((name) => banner[name]);
}

/** Identifies a list: by the ids in any order, or by the banners where they have none. */
export const fingerprint = rememberingEach((banners: readonly unknown[]) =>
  digestInAnyOrder(banners, (banner) => (isRecord(banner) ? (banner.id ?? known(banner)) : banner)),
);

/** Identifies a list by what the contract says of its banners, in any order. */
export const contents = rememberingEach((banners: readonly unknown[]) =>
  digestInAnyOrder(banners, (banner) => (isRecord(banner) ? known(banner) : banner)),
);

/** What changed between two lists, as far as the contract says anything of it, in words; undefined if nothing did. */
export function bannersDifference(before: Exchange, after: Exchange): string | undefined {
  const [earlier, later] = [bannersOf(before), bannersOf(after)];
  // Large bodies that are the same are one object.
  if (!earlier || !later || earlier === later || contents(earlier) === contents(later)) return undefined;
  const byId = (banners: readonly unknown[]): Map<unknown, Record<string, unknown>> =>
    new Map(banners.filter(isRecord).map((banner) => [banner.id, banner]));
  const [old, current] = [byId(earlier), byId(later)];
  for (const [id, banner] of current) {
    const own = old.get(id);
    if (!own) return `there is another banner, ${inWords(id)}`;
    const member = bannerMembers.find((name) => !isDeepStrictEqual(own[name], banner[name]));
    if (member !== undefined)
      return `${member} of banner ${inWords(id)} is ${inWords(banner[member])} instead of ${inWords(own[member])}`;
  }
  const gone = [...old.keys()].find((id) => !current.has(id));
  return gone === undefined ? 'the banners are others' : `banner ${inWords(gone)} is gone`;
}
