import type { Check } from '../check.ts';
import { refusalCheck } from './refusal.ts';

/** 400, or 404 from a router that knows no such path (open.non-integer-id). */
const NO_SUCH_ID = [{ status: 400 }, { status: 404, anyBody: true }] as const;

const cases: readonly (readonly [id: string, what: string, segments: readonly ((userId: string) => string)[]])[] = [
  ['word', 'a word as id', [() => 'abc']],
  ['trailing-junk', 'letters behind the id of a user', [(id) => `${id}abc`, (id) => `${id}-abc`]],
  ['leading-junk', 'letters before the id of a user', [(id) => `abc${id}`]],
  ['fraction', 'a fraction as id', [(id) => `${id}.5`]],
];

/** Source: Endpoints, PUT user, path parameter. */
export const pathIdChecks: readonly Check[] = cases.map(([id, what, segments]) =>
  refusalCheck({
    id: `path-id-${id}`,
    area: 'path-id',
    requirements: ['path-id.integer'],
    title: `An update with ${what} is refused with 400 or 404`,
    needs: [],
    requests: segments.map((segment) => (requests) => {
      const text = segment(requests.idOf('user'));
      return requests.update({
        subject: 'no-user',
        purpose: `An update with the path id ${text}`,
        segment: text,
        meantId: 'invalid',
        body: JSON.stringify({ name: requests.fresh.name() }),
        meantBody: 'valid',
      });
    }),
    refusals: NO_SUCH_ID,
    controls: ['name'],
  }),
);
