/** Finds a request that shows the user and changes nothing: by it, the state is read before and after each update. */
import { differences, isEmpty, isSame, UPDATABLE_MEMBERS, type User } from '../users/differences.ts';
import type { Reading } from '../users/users.ts';
import type { Attempt } from './attempt.ts';

/** Bodies that should change nothing and may show the user, the plainest first. */
export const BODIES_THAT_READ = ['{}', '{"conformanceProbe":true}'] as const;
/** Members of which at least one is needed to know a user again. */
export const TELLING_MEMBERS = ['name', 'email'] as const;

/** Whether enough of a user is shown to know it again. */
export const isKnown = (user: User = {}): boolean => TELLING_MEMBERS.some((member) => Object.hasOwn(user, member));

/** What sending a body does to a user. */
interface Effect {
  /** The members that it changes. */
  readonly changed: readonly string[];
  /** The members that it shows with old values. */
  readonly stale: readonly string[];
}

const NO_EFFECT: Effect = { changed: [], stale: [] };

/** Finds a request that shows the user and changes nothing, and reports it if `{}` changes something. */
export async function learnReading(attempt: Attempt): Promise<void> {
  const { known, user } = attempt;
  const withStoredRole = (id: string): string => JSON.stringify({ rootRole: known.shown.roles.lastSentTo(id) });
  for (const reading of [...BODIES_THAT_READ.map((body) => () => body), withStoredRole]) {
    const response = await attempt.send(known.readingOf(user.id, reading));
    const shown = user.shownIn(response);
    if (!shown) continue;
    const [byEmail, byName] = [await effectOf(attempt, reading, 'email'), await effectOf(attempt, reading, 'name')];
    if (!byEmail || !byName) return;
    const changed = [...new Set([...byEmail.changed, ...byName.changed])];
    if (changed.length > 0 && reading(user.id) === '{}') {
      const says = `The body {} changes ${changed.map((each) => `\`${each}\``).join(', ')}`;
      const blame = { requirement: 'update.empty-body-changes-nothing', of: [response] };
      attempt.fail({ kind: 'special', says, due: 'no change', came: 'a change' }, blame);
    }
    const isStale = byEmail.stale.length > 0 && byName.stale.length > 0;
    if (changed.length > 0 || isStale || !isKnown(shown)) continue;
    known.reading = reading;
    return;
  }
}

/**
 * The members that a request changes, as updates with one value before and after it show, and those that it shows with old values.
 * The second of the updates shows what they do by themselves.
 *
 * @returns undefined if updates clear what they do not send, and so may the request: then nobody can tell
 */
async function effectOf(attempt: Attempt, reading: Reading, member: 'name' | 'email'): Promise<Effect | undefined> {
  const { known, user } = attempt;
  const sent = user.newValues();
  const show = (update: User): Promise<User | undefined> => known.showing(user.id, user.update(update));
  const differ = (one: User, other: User | undefined): string[] =>
    differences(one, other, UPDATABLE_MEMBERS, known.shown.inReadings);
  const update = { [member]: sent[member] };
  const [first, second, before] = [await show(sent), await show(update), await show(update)];
  const read = user.shownIn(await attempt.send(known.readingOf(user.id, reading)));
  const after = await show(update);
  if (!first || !second || !before || !after) return NO_EFFECT;
  const isClearing = differ(first, second).some((each) => each !== member && isEmpty(second[each]));
  if (isClearing) return (await showsAll(attempt, reading)) ? NO_EFFECT : undefined;
  if (differ(first, second).length > 0 || differ(second, before).length > 0) return NO_EFFECT;
  const stale = differ(before, read).filter((each) => each !== member && read?.[each] !== undefined);
  return { changed: differ(before, after), stale: stale.filter((each) => !isSame(each, sent[each], read?.[each])) };
}

/** Whether a request shows all that a full update has just stored. */
async function showsAll(attempt: Attempt, reading: Reading): Promise<boolean> {
  const { known, user } = attempt;
  const stored = user.shownIn(await user.send(user.newValues()));
  const read = user.shownIn(await attempt.send(known.readingOf(user.id, reading)));
  if (!stored || !read) return false;
  return differences(stored, read, UPDATABLE_MEMBERS, known.shown.inReadings).length === 0;
}
