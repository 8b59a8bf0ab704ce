import type { Check } from '../../../judging/check.ts';
import { negativeCheck } from '../../../judging/negative-check.ts';
import type { RequestBuilder } from '../../../target/requests.ts';
import { update } from '../requests.ts';
import { CONTROLS } from '../scenarios.ts';

/** 400, or 404 from a router without such a path (open.non-integer-id). */
const NO_SUCH_ID = [400, 404];

/** Undefined if it does not exist for this user. */
type Segment = (requests: RequestBuilder) => string | undefined;

const withId =
  (spell: (userId: string) => string): Segment =>
  (requests) =>
    spell(requests.idOf('user'));

/** Some servers find users by anything that identifies them. A username that may be read as an integer proves nothing. */
const username: Segment = (requests) => {
  const text = requests.username();
  return text === undefined || /^[\s\d.+-]*$/.test(text) ? undefined : encodeURIComponent(text);
};

const cases: readonly (readonly [id: string, what: string, segments: readonly Segment[]])[] = [
  ['word', 'a word as id', [() => 'abc']],
  ['trailing-junk', 'letters after the id of a user', [withId((id) => `${id}abc`), withId((id) => `${id}-abc`)]],
  ['leading-junk', 'letters before the id of a user', [withId((id) => `abc${id}`)]],
  ['fraction', 'a fraction as id', [withId((id) => `${id}.5`)]],
  ['username', 'the username instead of the id', [username]],
];

/** Source: Endpoints, PUT user, path parameter. */
export const pathIdChecks: readonly Check[] = cases.map(([id, what, segments]) =>
  negativeCheck({
    id: `path-id-${id}`,
    area: 'path-id',
    requirements: ['path-id.integer'],
    title: `An update with ${what} is refused with 400 or 404`,
    requests: segments.map((segment) => (requests) => {
      const text = segment(requests);
      if (text === undefined) return undefined;
      return update(requests, {
        subject: 'invalid-id',
        purpose: `An update with the path id ${text}`,
        segment: text,
        meantId: 'invalid',
        body: JSON.stringify({ name: requests.fresh.name() }),
        meantBody: 'valid',
      });
    }),
    refusals: NO_SUCH_ID,
    controls: [CONTROLS.name],
  }),
);
