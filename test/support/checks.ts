import type { Check } from '../../conformance/model/check.ts';

/** A check; what is given takes the place of its members. */
export function checkOf(own: Partial<Check> = {}): Check {
  return {
    id: 'update-name',
    area: 'update',
    level: 'must',
    requirements: ['update.sent-fields-change'],
    title: 'A name is stored',
    operations: ['updateUser'],
    needs: [],
    uses: [],
    failureModes: { 'not-stored': 'Store the name.' },
    ...own,
  };
}
