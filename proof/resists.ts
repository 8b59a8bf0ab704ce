/** Servers on which the suite decides less than it should, and why it gets no mechanism for them. They count as missed. */
export const resists: Readonly<Record<string, string>> = {
  'updates-fade': 'What fades at any request looks as if that request had changed it.',
  'update-ignored-now-and-then': 'Every 23rd update, which may be a concurrent one.',
  'valid-update-fails-now-and-then': 'Every 23rd update, which may be a concurrent one.',
  'event-behind-snapshot-lost': 'Every sixteenth event of a user, which may be of a concurrent update.',
  'banners-without-id': 'Nobody can tell whether all configured banners are listed: inconclusive.',
  'banners-edited-very-often':
    'What changes at every ninth request looks like a change by reading, once: inconclusive.',
  'role-hidden': 'Nothing shows whether a role is stored: inconclusive by the ruling.',
  'email-hidden': 'Nothing shows whether an address is stored: inconclusive.',
  'shows-id-only': 'Nothing shows what is stored: inconclusive.',
  'shows-sent-members-only': 'Nothing shows what is stored: inconclusive.',
  'email-shown-masked': 'Wherever an address is compared, a masked one looks as if it had been changed.',
  'new-key-fails-once': 'Keys that are no random ones fail once and not again: that looks as if it came now and then.',
  'old-address-cannot-return': 'The old address is not restored: inconclusive by the ruling.',
  'former-addresses-refused': 'The old address is not restored: inconclusive by the ruling.',
  'declared-role-gets-400': 'A role that the operator declared is refused: inconclusive by the ruling.',
  'declared-role-gets-403': 'A role that the operator declared is refused: inconclusive by the ruling.',
  'old-name-cannot-return': 'The old name is not restored: inconclusive by the ruling.',
};
