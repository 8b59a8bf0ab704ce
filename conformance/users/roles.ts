/** How a target shows the roles that it is sent: as they are, or in a form of its own. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../common/json.ts';
import { groupedBy } from '../../common/text.ts';
import type { User } from './differences.ts';

/** A role that was sent, and what a later response to a request without it showed. */
interface Pair {
  readonly sent: unknown;
  readonly shown: unknown;
}

/** Where a shown role has the value that is sent for it: in this member, or in no member but as a whole. */
type Place = string | undefined;

/** Such a share of what was seen must fit: updates that are under way at once leave pairs that do not belong together. */
const MOST = 0.75;

const DIGITS = /^-?\d+$/;
/** A number that is written as a text is that number. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && DIGITS.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
const areEqual = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

function valueAt(shown: unknown, place: Place): unknown {
  if (place === undefined) return shown;
  return isRecord(shown) ? shown[place] : undefined;
}

/** Whether a shown role is, or has as a member, a value that was sent. */
const isIn = (shown: unknown, sent: unknown): boolean =>
  [shown, ...(isRecord(shown) ? Object.values(shown) : [])].some((value) => areEqual(value, sent));

/** What is known of the roles of a target. The response to an update that sends a role tells nothing: it may be an echo, or old. */
export class ShownRoles {
  /** The role that was sent last to each user, and accepted. */
  readonly #lastSent = new Map<string, unknown>();
  readonly #pairs: Pair[] = [];
  #isClosed = false;

  /** Learns nothing more: what restoring sends may not be stored. */
  close(): void {
    this.#isClosed = true;
  }

  /** Remembers what a response shows of a user, and what its request sent. */
  learn(id: string, { rootRole: shown }: User, { rootRole: sent }: User): void {
    if (sent !== undefined) this.#lastSent.set(id, sent);
    else if (!this.#isClosed && this.#lastSent.has(id) && shown !== undefined && shown !== null)
      this.#pairs.push({ sent: this.#lastSent.get(id), shown });
  }

  /** The role that was sent last to a user, and accepted. */
  lastSentTo(id: string): unknown {
    return this.#lastSent.get(id);
  }

  /** Whether it is known at all how roles are shown. */
  get areKnown(): boolean {
    return this.#pairs.length > 0;
  }

  /** The value to send for a role that is shown; undefined if nobody can tell. */
  sentFor(shown: unknown): unknown {
    const same = this.#pairs.filter((pair) => areEqual(pair.shown, shown));
    const bySent = groupedBy(same, ({ sent }) => JSON.stringify(sent)).map(([, pairs]) => pairs);
    const [most] = bySent.toSorted((one, other) => other.length - one.length);
    // Of a target that did not store some roles, pairs are wrong; one that shows the value which was sent is right.
    const plainest = same.find(({ sent }) => isIn(shown, sent)) ?? most?.[0];
    if (plainest) return plainest.sent;
    const place = this.#place;
    return place === 'none' ? undefined : this.#likeSent(valueAt(shown, place.at));
  }

  /** Whether two shown roles are the same one; undefined if nobody can tell. */
  areSame(one: unknown, other: unknown): boolean | undefined {
    if (isDeepStrictEqual(one, other)) return true;
    const place = this.#place;
    return place === 'none' ? undefined : areEqual(valueAt(one, place.at), valueAt(other, place.at));
  }

  /** Where shown roles have the value that was sent, in most of what was seen. */
  get #place(): { readonly at: Place } | 'none' {
    const members = this.#pairs.flatMap(({ shown }) => (isRecord(shown) ? Object.keys(shown) : []));
    const places: Place[] = [undefined, ...new Set(members)];
    const fits = (at: Place): boolean => {
      const right = this.#pairs.filter(({ sent, shown }) => areEqual(valueAt(shown, at), sent));
      return right.length > 0 && right.length >= this.#pairs.length * MOST;
    };
    const index = places.findIndex(fits);
    return index === -1 ? 'none' : { at: places[index] };
  }

  /** A value in the type in which roles are sent. */
  #likeSent(value: unknown): unknown {
    return this.#pairs.some(({ sent }) => typeof sent === 'number') ? plain(value) : value;
  }
}
