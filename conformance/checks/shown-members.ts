import { acrossOperations, type Check, controlsOf } from '../model/check.ts';
import { membersOf } from '../model/responses.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../traffic/operation.ts';

const WRONG_TYPE =
  'The member has a different type or format than in the contract. Send it as the contract says, or leave it out if it is not required.';
const WRONG_SAMPLE_TYPE =
  'The member has a different type than in the sample of the source. Use the type of the sample or null, or leave the member out.';

/** A check for each member of a schema that has a requirement, wherever a 200 body of the run shows it. */
function memberChecks({ shown, shows: { schema, object } }: Operation): Check[] {
  const showing = operations.filter(({ shows }) => shows.schema === schema);
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

/** What each member of a shown object must look like, for every schema that an operation shows. Source: Resources. */
export const shownMemberChecks: readonly Check[] = operations
  .filter(({ shows }, index) => operations.findIndex((each) => each.shows.schema === shows.schema) === index)
  .flatMap(memberChecks);
