import { validators } from '../../contract/validators.ts';
import { checks as catalogue } from '../../conformance/checks/catalogue.ts';
import { refusalsOf } from '../../conformance/checks/refused-changes-nothing.ts';
import type { Due } from '../../conformance/http/due.ts';
import type { Exchange, RequestSpec } from '../../conformance/http/exchange.ts';
import type { Check } from '../../conformance/model/check.ts';
import type { Recording } from '../../conformance/model/recording/recording.ts';
import type { Deviation, Kind } from '../../conformance/model/facts.ts';
import { type Judged, judgeRecording } from '../../conformance/model/judge.ts';
import type { View } from '../../conformance/model/recording/view.ts';
import { operations } from '../../conformance/operations/index.ts';
import { answered, recordingOf, updateRequest, VALID } from './exchanges.ts';

/** What checks say of a recording. */
export function judged(recording: Recording, checks: readonly Check[] = catalogue, error?: Error): Judged {
  return judgeRecording(recording, checks, operations, { refusals: (item) => refusalsOf.get(item) }, error);
}

/** A recording of some exchanges, as a pass sees it. */
export function viewOf(exchanges: readonly Exchange[], rest: Partial<Recording> = {}): View {
  return { ...recordingOf(exchanges, rest), validators };
}

/** What a request is due that must be refused. */
export function refusalDue(requirement: string, changes: Partial<Due> = {}): Due {
  return { ...VALID, class: 'refuse', statuses: [400], requirements: [requirement], checks: [requirement], ...changes };
}

/** An update with this body, which got this status. */
export function put(body: unknown, changes: Partial<RequestSpec> = {}, status = 200): Exchange {
  return answered(updateRequest({ body: JSON.stringify(body), ...changes }), status, status === 200 ? { id: 4 } : {});
}

/** A deviation that a request shows, by default from what it is due. */
export function deviation(kind: Kind, x: Exchange, own: Partial<Deviation> = {}): Deviation {
  const { requirements, checks, level } = x.request.due;
  const said = { mode: 'wrong', message: 'It is wrong.', expected: 'right', actual: 'wrong' };
  return { kind, x, requirements, checks, level, ...said, ...own };
}
