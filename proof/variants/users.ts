import type { Variant } from '../variant.ts';

/** Freedoms of the user in an answer. Source: Resources, User. */
export const userVariants: readonly Variant[] = [
  {
    id: 'role-hidden',
    title: 'Answers never show `rootRole`.',
    about: ['open.shown-members', 'open.root-role-response'],
    couldNotRun: {
      'update-*role-shown': 'not-observable',
      'update-*role-stored': 'not-observable',
      'update-*-keeps-role': 'not-observable',
      'update-*role-keeps-*': 'not-observable',
    },
    notPutBack: true,
    behaviour: {
      replace: () => ({
        presentUser: (user) => Object.fromEntries(Object.entries(user).filter(([member]) => member !== 'rootRole')),
      }),
    },
  },
];
