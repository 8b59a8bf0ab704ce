/** Defects that the suite judges wrongly, and why it gets no mechanism for them. They count as missed. */
export const resists: Readonly<Record<string, string>> = {
  'processes-share-no-users': 'Each request sees other users; which request changed them cannot be seen.',
  'updates-fade': 'What fades at any request looks as if that request had changed it.',
  'update-ignored-now-and-then': 'Every 23rd update, which may be a concurrent one.',
  'valid-update-fails-now-and-then': 'Every 23rd update, which may be a concurrent one.',
  'first-list-is-null': 'Shown once, and not again: inconclusive by the ruling.',
  'form-read-alone': 'No update is stored, and all that is no form is read as an empty one: many requirements see it.',
  'concurrent-users-fail': 'Users are read at the same time, too.',
};
