import type { Store } from '../../../reference-server/rules.ts';
import type { Banners } from '../../../contract/document.ts';
import type { Behaviour } from '../../servers/behaviour.ts';
import { isTo, success } from '../../defects/requests.ts';
import { showing } from '../../defects/responses.ts';
import { type Table, about, named } from '../../table.ts';
import type { WrittenVariant } from '../../variant.ts';

type Banner = Store['banners'][number];

const isUpdate = isTo('updateUser');
const isList = isTo('listBanners');

/** Shows banners with other members, which may depend on how often the list was requested. */
function showingBanners(show: (banner: Banner, turn: number, store: Store) => unknown): Behaviour {
  return showing<Banners>(success('listBanners'), ({ banners }, { count, store }) => ({
    banners: banners.map((banner) => show(banner, count, store)),
  }));
}

/** Somebody changes the message of a banner when a request comes, whichever it is. */
function editedAt(comes: (count: number) => boolean): Behaviour {
  return {
    around: (handle, { banners: [banner] }) => {
      let count = 0;
      return (request) => {
        count += 1;
        if (banner && comes(count)) banner.message = `Edited at ${count}.`;
        return handle(request);
      };
    },
  };
}

/** When somebody edits a banner, by the number of the request. */
const EDITED: Table<(count: number) => boolean> = {
  'at-first: as the run begins': (count) => count === 6,
  'among-updates: while the updates are sent': (count) => count === 25,
  'among-refusals: while refused updates are sent': (count) => count === 120,
  'twice: while the updates are sent, and once more': (count) => count === 25 || count === 120,
  'often: all the time': (count) => count % 40 === 0,
  'very-often: at every ninth request': (count) => count % 9 === 0,
};

/** What requests may change that the contract says nothing of, and what others change during a run. */
export const sideEffectsVariants: readonly WrittenVariant[] = [
  ...about(['side-effects.of-updates', 'open.banner-fields', 'open.extra-members'], {
    'banners-show-who-made-them: A banner shows the name of the user who made it, as it is now.': showingBanners(
      (banner, _turn, { users }) => ({ ...banner, createdByName: users.get(1)?.name, updatedAt: users.get(1)?.seenAt }),
    ),
    'banners-in-order-of-updates: Every update of a user puts the first banner at the end of the list.': {
      around:
        (handle, { banners }) =>
        (request) => {
          if (isUpdate({ request })) banners.push(...banners.splice(0, 1));
          return handle(request);
        },
    },
    'banners-with-revision: The list shows how many requests the server got.': {
      around: (handle) => {
        let revision = 0;
        return (request) => {
          revision += 1;
          const answer = handle(request);
          const isShown = isList({ request }) && answer.status === 200;
          return isShown ? { ...answer, body: { ...(answer.body as object), revision } } : answer;
        };
      },
    },
  }),
  ...about(['side-effects.of-reading', 'banners.read-only', 'banners.stable', 'open.extra-members'], {
    'banners-show-views: A banner shows how often it was read.': showingBanners((banner, views) => ({
      ...banner,
      views,
    })),
  }),
  ...named<WrittenVariant>({
    'banners-without-ids-show-views: A banner has no id, and shows how often it was read.': {
      about: ['banners.stable', 'banners.read-only', 'banner.id'],
      behaviour: showingBanners((banner, views) => ({ ...banner, id: undefined, views })),
      inputs: { bannerIds: [] },
    },
  }),
  ...about('side-effects.of-reading', {
    'list-seen-by-user: A request for the banners is the last time that the user was seen.': {
      replace: (rules) => {
        let seenAt = new Date(0);
        return {
          presentBanners: (banners) => {
            seenAt = new Date(seenAt.getTime() + 1_000);
            return rules.presentBanners(banners);
          },
          presentUser: (user) => ({ ...(rules.presentUser(user) as object), seenAt: seenAt.toISOString() }),
        };
      },
    },
  }),
  ...about(
    ['side-effects.of-updates', 'banners.read-only'],
    EDITED,
    'banners-edited-*: Somebody edits a banner *.',
    editedAt,
  ),
  ...about(['side-effects.of-updates', 'banners.read-only'], {
    'banners-edited-between-lists: Somebody edits a banner after two requests for the list that come one after the other.':
      {
        around: (handle, { banners: [banner] }) => {
          let lists = 0;
          return (request) => {
            lists = isList({ request }) ? lists + 1 : 0;
            if (banner && lists === 3) banner.message = `${String(banner.message)} (edited)`;
            return handle(request);
          };
        },
      },
  }),
];
