import { acrossOperations, type Check, controlsOf } from '../model/check.ts';
import { membersOf } from '../model/responses.ts';
import { operations } from '../operations/index.ts';
import type { Operation, ShownCheck } from '../traffic/operation.ts';
import { groupedBy } from '../../common/text.ts';
import { hasPathId } from '../resources/requests.ts';

const WRONG_TYPE =
  'The member has a different type or format than in the contract. Send it as the contract says, or leave it out if it is not required.';
const WRONG_SAMPLE_TYPE =
  'The member has a different type than in the sample of the source. Use the type of the sample or null, or leave the member out.';

/** A check for each member of a schema that has a requirement, wherever a 200 body of the run shows it. */
function memberChecks(showing: readonly Operation[], { shown, shows: { schema, object } }: Operation): Check[] {
  return membersOf(schema).map(({ check, requirement: { id, level, text }, isRequired, isSample }) =>
    acrossOperations(controlsOf(showing), {
      id: check,
      alongside: 'all',
      area: shown,
      level,
      requirements: [id],
      title: text.replace(/\.$/, ''),
      failureModes: {
        'wrong-type': isSample ? WRONG_SAMPLE_TYPE : WRONG_TYPE,
        ...(isRequired && { missing: `The required member is missing in a response. Send it with every ${object}.` }),
      },
    }),
  );
}

/** A check of the objects that some operations show. */
function shownCheck(showing: readonly Operation[], { needs, isAddressed, ...check }: ShownCheck, area: string): Check {
  const judged = isAddressed ? showing.filter(({ id }) => hasPathId(id)) : showing;
  const made = acrossOperations(controlsOf(judged), { area, level: 'must', alongside: 'all', ...check });
  return needs ? { ...made, needs } : made;
}

/** What shown objects and their members must look like, for every schema that an operation shows. Source: Resources. */
export const shownChecks: readonly Check[] = groupedBy(operations, ({ shows }) => shows.schema).flatMap(([, showing]) =>
  showing
    .slice(0, 1)
    .flatMap((first) => [
      ...(first.shownChecks ?? []).map((own) => shownCheck(showing, own, first.shown)),
      ...memberChecks(showing, first),
    ]),
);
