import { type Restoration, nameOf } from '../../traffic/keeping/restoration.ts';
import { capitalized, groupedBy } from '../../../common/text.ts';

const WORDS = {
  restored: 'restored',
  sent: 'sent back and accepted, but not shown',
  'not-restored': 'NOT restored',
  unavailable: 'NOT restored',
  remains: 'NOT removed, since an update cannot do that',
} as const;

/** How far the users were restored, as lines; each says whether everything that it speaks of has its old value again. */
export function restorationLines({ outcome, users, journal }: Restoration) {
  if (outcome === 'none') return [{ text: 'No user was changed.', restored: true }];
  const lines = users.flatMap(({ members, ...user }) =>
    groupedBy(
      members,
      (member) => `${WORDS[member.outcome]}${member.detail === undefined ? '' : ` (${member.detail})`}`,
    ).map(([words, group]) => ({
      text: `${capitalized(nameOf(user))}: ${group.map(({ member }) => member).join(', ')} ${words}`,
      restored: group.every((member) => member.outcome === 'restored'),
    })),
  );
  if (outcome === 'complete') return lines;
  const journalLines =
    journal === undefined ? [] : [`Journal: ${journal}`, `To try again: admin-api-conformance restore ${journal}`];
  return [
    { text: 'Not every user was restored.', restored: false },
    ...lines,
    ...journalLines.map((text) => ({ text, restored: false })),
  ];
}
