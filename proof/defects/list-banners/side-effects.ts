import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking } from '../../table.ts';
import { type Which, all, answered, isTo, success } from '../requests.ts';
import { type Act, changes, countsLogin, followedBy } from '../responses.ts';

const anyUpdate = isTo('updateUser');
const [update, list] = [success('updateUser'), success('listBanners')];

const adds: Act = ({ store: { banners } }) => banners.push({ ...banners[0], id: 1_000 + banners.length });
const counts: Act = ({ store: { banners } }) => {
  const [banner] = banners;
  if (banner) banner.message = `Changed ${Number(/\d+/.exec(String(banner.message))?.[0] ?? 0) + 1} times.`;
};

const refused = (...statuses: readonly number[]): Which => all(anyUpdate, answered(...statuses));

/** What requests do beside what they are for. Source: Endpoints; RFC 9110, 9.2.1. */
const SIDE_EFFECTS: Readonly<Record<string, Table<readonly [which: Which, act: Act]>>> = {
  'side-effects.of-updates': {
    'update-adds-banner: Every accepted update adds a banner.': [update, adds],
    'update-counted-in-banner: The message of a banner says how often a user was updated.': [update, counts],
    'update-refused-adds-banner: Every refused update adds a banner.': [refused(400, 401, 403, 404), adds],
    'update-404-adds-banner: An update of a missing user adds a banner.': [refused(404), adds],
  },
  'side-effects.of-reading': {
    'list-counted-as-login: A request for the banners counts as a failed login of a user.': [list, countsLogin(1)],
    'list-refused-counted-as-login: A request for the banners with a wrong key counts as a failed login of a user.': [
      all(isTo('listBanners'), answered(401)),
      countsLogin(1),
    ],
    'list-empties-name-of-other-user: A request for the banners empties the name of another user.': [
      list,
      changes(2, { name: '' }),
    ],
  },
  'banners.read-only': {
    'list-counted-in-banner: Each request for the banners is counted in the message of a stored banner.': [
      list,
      counts,
    ],
  },
  'banners.stable': {
    'list-adds-banner: Each request for the banners adds a banner.': [list, adds],
  },
};

export const sideEffectsDefects: readonly WrittenDefect[] = Object.entries(SIDE_EFFECTS).flatMap(
  ([requirement, effects]) =>
    breaking(requirement, effects, 'side-effect-*: *', ([which, act]) => followedBy(which, act)),
);
