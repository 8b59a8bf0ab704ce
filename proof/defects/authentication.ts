import type { Defect } from '../defect.ts';

/** Source: Authentication, 1 and 2; Errors, 401. */
export const authenticationDefects: readonly Defect[] = [
  {
    id: 'update-open-without-key',
    title: 'An update needs no key.',
    breaks: ['auth.key-required'],
    caughtBy: { 'auth-update-no-header': 'accepted' },
    behaviour: {
      replace: (rules) => ({
        authenticate: (request, store) =>
          request.method === 'PUT' && request.headers.authorization === undefined
            ? 'admin'
            : rules.authenticate(request, store),
      }),
    },
  },
];
