import type { ApiRequest, ApiResponse, Store } from '../../../reference-server/rules.ts';
import type { Defect } from '../../defect.ts';
import { alike } from '../../table.ts';
import { type Around, changeUser, isTo, sentMembers } from '../requests.ts';

const USER = 1;
const OTHER = 2;

type Which = (request: ApiRequest, answer: ApiResponse) => boolean;
type Act = (store: Store, request: ApiRequest) => void;

/** Responds as the contract says, but some requests have a side effect. */
function followedBy(which: Which, act: Act): Around {
  return {
    around: (handle, store) => (request) => {
      const answer = handle(request);
      if (which(request, answer)) act(store, request);
      return answer;
    },
  };
}

const isUpdate = isTo('updateUser');
const isList = isTo('listBanners');

const update =
  (...statuses: number[]): Which =>
  (request, { status }) =>
    isUpdate(request) && (statuses.length === 0 || statuses.includes(status));
const updateOf =
  (member: string): Which =>
  (request, answer) =>
    update(200)(request, answer) && member in sentMembers(request);
const list =
  (...statuses: number[]): Which =>
  (request, { status }) =>
    isList(request) && (statuses.length === 0 || statuses.includes(status));

const addBanner: Act = ({ banners }) => {
  banners.push({ ...banners[0], id: 1_000 + banners.length });
};
const replaceBanner: Act = ({ banners }) => {
  const last = banners.pop();
  banners.push({ ...last, id: 1_000 + Number(last?.id) });
};
const count: Act = ({ banners: [banner] }) => {
  if (banner) banner.message = `Changed ${Number(/\d+/.exec(String(banner.message))?.[0] ?? 0) + 1} times.`;
};

const ofUpdates = (mode: string) => alike(['side-effects.of-updates'], { 'banners-kept-by-other-requests': mode });

const countLogin: Act = ({ users }) => {
  changeUser(users, USER, { loginAttempts: (users.get(USER)?.loginAttempts ?? 0) + 1 });
};

/** What requests change that they are not for. Source: Endpoints; RFC 9110, 9.2.1. */
export const sideEffectsDefects: readonly Defect[] = [
  ...ofUpdates('changed-by-accepted')({
    'update-adds-banner: Every accepted update adds a banner.': followedBy(update(200), addBanner),
    'update-replaces-banner: Every accepted update puts another banner in place of the last one.': followedBy(
      update(200),
      replaceBanner,
    ),
    'update-counted-in-banner: The message of a banner says how often a user was updated.': followedBy(
      update(200),
      count,
    ),
    'update-of-role-adds-banner: An update of a role adds a banner.': followedBy(updateOf('rootRole'), addBanner),
    'every-update-counted-in-banner: The message of a banner counts the updates, whether they are refused or not.':
      followedBy(update(), count),
  }),
  ...ofUpdates('changed-by-refused')({
    'update-refused-adds-banner: Every refused update adds a banner.': followedBy(
      update(400, 401, 403, 404),
      addBanner,
    ),
    'update-400-adds-banner: An update that is refused with 400 adds a banner.': followedBy(update(400), addBanner),
    'update-401-counted-in-banner: The message of a banner counts the updates that are refused with 401.': followedBy(
      update(401),
      count,
    ),
    'update-403-counted-in-banner: The message of a banner counts the updates that are refused with 403.': followedBy(
      update(403),
      count,
    ),
    'update-404-adds-banner: An update of a missing user adds a banner.': followedBy(update(404), addBanner),
  }),
  ...alike(['side-effects.of-reading'], { 'reading-changes-no-user': 'changed-user' })({
    'list-counted-as-login: A request for the banners counts as a failed login of a user.': followedBy(
      list(200),
      countLogin,
    ),
    'list-changes-role: A request for the banners gives a user another role.': followedBy(list(200), ({ users }) => {
      changeUser(users, USER, { rootRole: Number(users.get(USER)?.rootRole) + 1 });
    }),
    'list-refused-counted-as-login: A request for the banners with a wrong key counts as a failed login of a user.':
      followedBy(list(401), countLogin),
  }),
  ...alike(['side-effects.of-reading'], { 'reading-changes-no-user': 'other-user-changed' })({
    'list-empties-name-of-other-user: A request for the banners empties the name of another user.': followedBy(
      list(200),
      ({ users }) => {
        changeUser(users, OTHER, { name: '' });
      },
    ),
  }),
  ...alike(['banners.read-only'], { 'banners-read-only': 'changed-by-reading' })({
    'list-counted-in-banner: Each request for the banners is counted in the message of a stored banner.': followedBy(
      list(200),
      count,
    ),
  }),
  ...alike(['banners.stable'], { 'banners-stable': 'other-banners' })({
    'list-adds-banner: Each request for the banners adds a banner.': followedBy(list(200), addBanner),
  }),
].map((defect) => ({ ...defect, id: `side-effect-${defect.id}` }));
