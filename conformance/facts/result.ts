import { z } from 'zod';

/** The version of the result format; it rises when a member changes its meaning or is removed. */
export const SCHEMA_VERSION = 3;

export const levelSchema = z.enum(['must', 'should'], 'give must or should.');

const outcomeSchema = z
  .enum(['passed', 'failed', 'inconclusive', 'not-applicable', 'error'])
  .describe(
    'inconclusive: it could not be observed. not-applicable: the target may lack what is judged, and does. ' +
      'error: the suite itself failed, which says nothing about the target.',
  );
/** What came of a check, or of a requirement. */
export type Outcome = z.infer<typeof outcomeSchema>;

export const verdictSchema = z
  .enum(['passed', 'failed', 'inconclusive', 'interrupted', 'error'])
  .describe(
    'passed: every must was seen to hold, or is a known failure. failed: a must is broken (with failOn "should", or a ' +
      'should), or a baseline entry does not hold. inconclusive: nothing failed, but something was not observed. ' +
      'interrupted: the run was stopped from outside. error: the suite itself failed.',
  );
/** The verdict of a run. */
export type Verdict = z.infer<typeof verdictSchema>;

/** The exit code of `admin-api-conformance run` for each verdict. A usage error is 2. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  passed: 0,
  failed: 1,
  inconclusive: 3,
  error: 4,
  interrupted: 130,
};

const reasonSchema = z
  .enum([
    'blocked',
    'missing-input',
    'no-user',
    'no-reading',
    'not-shown',
    'unsteady',
    'disturbed',
    'other-client',
    'stopped',
  ])
  .describe(
    'Why a check says nothing. blocked: a requirement is broken without which it means nothing. missing-input: the ' +
      'operator did not give what it needs. no-user: no update was accepted. no-reading: no request shows the users ' +
      'without changing them. not-shown: the target does not show what it needs. unsteady: it failed once, and not when ' +
      'it was repeated. disturbed: lost connections, or 429, 502, 503, 504, at every try. other-client: another client ' +
      'changed the users meanwhile. stopped: the run ended before it.',
  );
/** Why a check is inconclusive. */
export type Reason = z.infer<typeof reasonSchema>;

const exchangeSchema = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z
      .record(z.string(), z.string())
      .describe('Keys are replaced by the names of their environment variables.'),
    body: z.string().optional(),
  }),
  response: z
    .object({
      status: z.int(),
      headers: z.record(z.string(), z.string()).describe('Names in lower case.'),
      body: z.string().describe('As text, after content decoding; of a long one, the start.'),
      cut: z.int().optional().describe('How many characters of the body are not shown.'),
    })
    .optional()
    .describe('Absent if there was no readable response.'),
  lost: z.string().optional().describe('Why there was no readable response, in words.'),
  startedMs: z.number().min(0).max(1e12).describe('Since the start of the run; ms.'),
  durationMs: z.number().describe('From sending to the last byte of the response; ms.'),
  curl: z.string().describe('A shell command that sends the request again; keys come from the environment.'),
  part: z
    .enum(['cause', 'before', 'after'])
    .optional()
    .describe(
      'cause: it is to blame. before: it must be sent first for the fault to show. after: it shows what came of it.',
    ),
});
/** A request and its response as reports show them: without keys, and with bodies cut to a readable length. */
export type ExchangeRecord = z.infer<typeof exchangeSchema>;

const failureSchema = z.object({
  check: z.string().optional().describe('The check that found it; absent if a response of any request showed it.'),
  request: z.string().optional().describe('The request whose response showed it, in words; present if no check did.'),
  title: z.string(),
  expected: z.string(),
  actual: z.string(),
});
/** One value, form or response that failed. */
export type Failure = z.infer<typeof failureSchema>;

const findingSchema = z.object({
  id: z.string().describe('The id of the broken requirement; or status.… where one wrong status breaks several.'),
  kind: z
    .enum(['status', 'member', 'response', 'special'])
    .describe(
      'status: a request got a wrong status, which the title says. member: a member of a user has a wrong value. ' +
        'response: a response breaks what every response is held to. special: only one check looks for it.',
    ),
  member: z.string().optional().describe('The member of a user or a banner that has a wrong value.'),
  level: levelSchema,
  requirement: z.string(),
  title: z.string().describe("What the target does, in an implementer's words."),
  expected: z.string(),
  actual: z.string(),
  failures: z
    .array(failureSchema)
    .describe('Every value, form and response that failed, the plainest first; the title is that of the first.'),
  checks: z
    .array(z.string())
    .describe('Ids of the checks that failed for it, the plainest first; none if every response is held to it.'),
  exchanges: z
    .array(exchangeSchema)
    .describe('The request that is to blame, then those that show what it did, or must be sent first; few.'),
  fix: z.string().describe('What to change in the server.'),
  seen: z
    .object({ times: z.int(), of: z.int(), what: z.string().describe('What was counted: "requests", "rounds".') })
    .optional()
    .describe('How often it showed; present if it came now and then.'),
  knownFailure: z.boolean().describe('Whether the baseline lists each of its checks.'),
});
/** One broken requirement. */
export type Finding = z.infer<typeof findingSchema>;

const checkSchema = z.object({
  id: z.string(),
  area: z.string(),
  level: levelSchema,
  title: z.string(),
  requirement: z.string(),
  outcome: outcomeSchema,
  reason: reasonSchema.optional().describe('Present if it is inconclusive.'),
  detail: z.string().optional().describe('The reason in words, or why it does not apply, or what the suite failed at.'),
  missing: z
    .array(z.string())
    .optional()
    .describe('The environment variables of the inputs that it lacks; present with the reason missing-input.'),
  blockedBy: z.string().optional().describe('The broken requirement without which it means nothing.'),
  workarounds: z
    .array(z.string())
    .optional()
    .describe('How it was run in spite of what is broken; it could only fail. See workarounds of the result.'),
  durationMs: z
    .number()
    .optional()
    .describe('How long it took, with its share of what was sent together; ms. Absent if it did not run.'),
  knownFailure: z.boolean(),
});
/** What came of one check. */
export type CheckResult = z.infer<typeof checkSchema>;

const requirementSchema = z.object({
  id: z.string(),
  level: levelSchema,
  text: z.string(),
  outcome: outcomeSchema,
  seenOnce: z.literal(true).optional().describe('Present if something broke it once, and not again.'),
  seenIn: z
    .string()
    .optional()
    .describe('The check in which it was seen once; absent if a response of any request broke it.'),
  detail: z.string().optional().describe('What was seen once, in words.'),
  knownFailure: z
    .literal(true)
    .optional()
    .describe('Present if the baseline knows all that breaks it, or was seen once.'),
  checks: z.array(z.string()),
});
export type RequirementResult = z.infer<typeof requirementSchema>;

/** A guess at what looks wrong with the address, the keys or the ids. It never changes the verdict. */
const hintSchema = z.object({ id: z.string(), text: z.string() });
export type Hint = z.infer<typeof hintSchema>;

const observationSchema = z.object({
  id: z.string().describe('The open point of the contract.'),
  observed: z.string().optional().describe('One of its possible observations; absent if the run did not see it.'),
  text: z.string(),
  detail: z.array(z.string()).optional(),
});
/** What the target does where the contract is silent. It is never judged. */
export type Observation = z.infer<typeof observationSchema>;

const workaroundSchema = z.object({
  id: z.string(),
  text: z.string().describe('How checks were run in spite of what is broken.'),
  checks: z.int().describe('How many.'),
});
/** A way in which checks were run in spite of what is broken. */
export type WorkaroundNote = z.infer<typeof workaroundSchema>;

const restorationSchema = z.object({
  outcome: z
    .enum(['none', 'complete', 'partial'])
    .describe('none: nothing was written. complete: everything that was written is as before.'),
  users: z.array(
    z.object({
      id: z.string(),
      members: z.array(
        z.object({
          member: z.string(),
          outcome: z
            .enum(['restored', 'sent', 'refused', 'not-restored', 'never-shown', 'unavailable', 'contested'])
            .describe(
              'restored: the target shows it as before. sent: accepted, but no longer shown. refused: the target refuses with 400 ' +
                'a value that it showed before the run. not-restored: it is not as before. never-shown: its old ' +
                'value is not known. unavailable: no response showed the user, or the target asked to try again later, to the ' +
                'end. contested: another client changed the user at the same time.',
            ),
          detail: z.string().optional(),
        }),
      ),
    }),
  ),
  journal: z.string().optional().describe('Where the old values are kept, if something is left to restore.'),
});
/** How far the users were restored. */
export type Restoration = z.infer<typeof restorationSchema>;

const counts = z.object({
  passed: z.int(),
  failed: z.int(),
  inconclusive: z.int(),
  notApplicable: z.int(),
  error: z.int(),
  knownFailures: z.int().describe('Also counted under their outcome.'),
  total: z.int(),
});
export type Counts = z.infer<typeof counts>;

const changeSchema = z.object({
  id: z.string().describe('A check, or the requirement of a finding that no check made.'),
  title: z.string().describe('What the later result says of it if it failed there, else what the earlier one said.'),
  level: levelSchema,
  from: outcomeSchema,
  to: outcomeSchema,
  became: z
    .enum(['new', 'still-there', 'not-seen-again', 'fixed'])
    .describe(
      'new: it fails, or breaks a must in place of a should, or can no longer be judged. still-there: it is as bad as ' +
        'before, or was not seen to be fixed. not-seen-again: it passed, but came now and then before, so that one pass ' +
        'proves nothing.',
    ),
  counts: z.boolean().describe('Whether the level and the baseline let it fail the later run.'),
});
/** What became of a check from one result to a later one. */
export type Change = z.infer<typeof changeSchema>;

const isTime = (text: string): boolean => /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text));

export const resultSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  tool: z.object({
    name: z.string(),
    version: z.string(),
    command: z.string().optional().describe('The command line, without what selects checks and writes reports.'),
  }),
  contract: z.object({ title: z.string(), version: z.string(), digest: z.string().describe('SHA-256 of its JSON.') }),
  target: z.object({
    baseUrl: z.string().describe('Without a trailing slash.'),
    userId: z.string().optional(),
    otherUserId: z.string().optional(),
    missingUserId: z.string().optional(),
    roleIds: z.array(z.unknown()).optional(),
    bannerIds: z.array(z.unknown()).optional(),
    emailDomain: z.string(),
    adminKey: z.boolean().describe('Whether it was given.'),
    restrictedKey: z.boolean().describe('Whether it was given.'),
  }),
  selection: z.object({
    only: z.array(z.string()),
    skip: z.array(z.string()),
    failOn: levelSchema,
    baseline: z
      .object({ file: z.string().optional(), entries: z.int() })
      .optional()
      .describe('The file of the baseline, and how many entries it has; absent without one.'),
  }),
  startedAt: z.string().refine(isTime, 'must be a time').describe('ISO 8601, UTC.'),
  durationMs: z.int(),
  verdict: verdictSchema,
  message: z.string().optional().describe('What to know first: why the run stopped, or what to set.'),
  summary: z.object({
    must: counts.describe('Checks. One that failed counts under the level of what it broke.'),
    should: counts.describe('Checks.'),
    requirements: z.object({ must: counts, should: counts }),
    requests: z.int(),
    baselineProblems: z.array(z.string()).describe('Why entries of the baseline do not hold, one text for each.'),
  }),
  again: z.array(changeSchema).optional().describe('What became of what the earlier result left open.'),
  findings: z.array(findingSchema).describe('must before should, then in the order of the checks.'),
  requirements: z.array(requirementSchema).describe('In the order of the contract.'),
  checks: z.array(checkSchema).describe('Those that were selected, in the order in which they run.'),
  workarounds: z.array(workaroundSchema).describe('None if nothing that is broken blocked a check.'),
  observations: z.array(observationSchema).describe('In the order of the contract.'),
  restoration: restorationSchema,
  hints: z.array(hintSchema),
});
/** The result of a run; every report is made from it alone. */
export type Result = z.infer<typeof resultSchema>;
