import { LONG_STRING } from '../../common/json.ts';
import { type OperationId, requestSchemaOf, route } from '../../contract/document.ts';
import {
  adminCredential,
  type BadCredential,
  makeBadCredentials,
  respelledCredential,
  restrictedCredential,
} from '../http/credentials.ts';
import type { Credential, Meant, RequestSpec } from '../http/exchange.ts';
import { type Inputs, namedId, type Subject } from './inputs.ts';
import { type Due, UNSPECIFIED } from '../http/due.ts';
import { compareRoles } from './roles.ts';

/** A value of some run, with the text that the run has for itself. */
const VALUE_OF_A_RUN = /^(?:Conformance |conformance-)([0-9a-f]{8})(?: \d+$|-\d+@)/i;

/** Makes values that no user of the target has yet, and that no server has a reason to refuse. */
export type FreshValues = ReturnType<typeof makeFreshValues>;

/** @param run a short text of lower-case letters and digits that no other run has */
export function makeFreshValues(run: string, emailDomain: string) {
  let count = 0;
  const next = (): number => (count += 1);
  return {
    name: () => `Conformance ${run} ${next()}`,
    email: () => `conformance-${run}-${next()}@${emailDomain}`,
    /** The run that made a value, if it was another one. */
    otherRun: (value: unknown): string | undefined => {
      const maker = typeof value === 'string' ? VALUE_OF_A_RUN.exec(value)?.[1]?.toLowerCase() : undefined;
      return maker === run ? undefined : maker;
    },
  };
}

/** Whether the path of an operation has an id. */
export function hasPathId(operation: OperationId): boolean {
  return route(operation).path.includes('{id}');
}

/** The id in the path of a request, as it is sent; undefined if the path of its operation has none. */
export function pathId({ operation, path }: Pick<RequestSpec, 'operation' | 'path'>): string | undefined {
  const index = route(operation).path.split('/').indexOf('{id}');
  return index === -1 ? undefined : path.split('?')[0]?.split('/')[index];
}

export interface RequestOptions {
  /** Whom it addresses; `none` (the default) for a path without an id. */
  readonly subject?: Subject;
  readonly purpose: string;
  /** The body as it is sent; undefined sends none. */
  readonly body?: string | undefined;
  /** How the body becomes bytes; default UTF-8. */
  readonly charset?: 'latin1';
  /** Default `valid`. */
  readonly meantBody?: Meant | undefined;
  /** Default: the admin key. */
  readonly credential?: Credential | undefined;
  /** Another path segment than the subject's id. */
  readonly segment?: string;
  /** Parameters that the contract does not list, as they stand after the `?`. */
  readonly query?: string | undefined;
  /** Default `valid`. */
  readonly meantId?: Meant;
  /** null sends no Content-Type; the default is JSON for an operation that takes a body. */
  readonly contentType?: string | null;
  /** Header fields in place of those that a request has anyway. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the contract says nothing of it. */
  readonly due?: Due | undefined;
}

/** Whether a value of the target is a text that a request may repeat: of a long one, a run would have as many copies as requests. */
export function isSendable(value: unknown): value is string {
  return typeof value === 'string' && value.length < LONG_STRING;
}

/** Builds the requests of the suite from the operator's inputs. Pure but for the counter of fresh values. */
export type RequestBuilder = ReturnType<typeof makeRequestBuilder>;

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The suite built a request without ${name}.`);
  return value;
}

/**
 * @param stored what is stored of the user now, as far as the suite knows
 */
export function makeRequestBuilder(
  inputs: Inputs,
  fresh: FreshValues,
  stored: () => Readonly<Record<string, unknown>>,
  badOnes: ReadonlyMap<string, Credential> = makeBadCredentials(inputs.adminKey, inputs.restrictedKey),
) {
  const admin = (): Credential => adminCredential(given(inputs.adminKey, 'the admin key'));
  const idOf = (subject: Subject): string => given(namedId(inputs, subject), `an id for ${subject}`);
  const json = 'application/json';
  const accept = { Accept: json, 'Accept-Encoding': 'gzip, deflate, br' };
  return {
    inputs,
    fresh,
    admin,
    /** The admin key under another spelling of the header's name. */
    respelled: (fieldName: string): Credential =>
      respelledCredential(given(inputs.adminKey, 'the admin key'), fieldName),
    restricted: (): Credential => restrictedCredential(given(inputs.restrictedKey, 'the restricted key')),
    /** Undefined where this one does not exist for the operator's keys. */
    bad: ({ id }: BadCredential): Credential | undefined => badOnes.get(id),
    /** The id of a subject, as it stands in the path. */
    idOf,
    /** What the user shows as a member; undefined if it shows no text there that can be sent. */
    shown: (member: 'username' | 'email'): string | undefined => {
      const { [member]: text } = stored();
      return isSendable(text) && text !== '' ? text : undefined;
    },
    /** A declared role that is not stored of the user; undefined without roles. */
    otherRole: (): unknown => inputs.roleIds?.find((role) => compareRoles(role, stored().rootRole) !== 'same'),
    /** A body of the values that are stored, as far as they are known: accepted, it changes nothing. */
    noChange: (): string => {
      const known = Object.entries(stored()).find(
        ([member, value]) => ['name', 'email'].includes(member) && isSendable(value),
      );
      return JSON.stringify(Object.fromEntries(known ? [known] : []));
    },
    /** A request for an operation, from its route in the contract. */
    build: (operation: OperationId, options: RequestOptions): RequestSpec => {
      const { subject = 'none', purpose, body, charset, credential = admin(), segment, query } = options;
      const { meantBody = 'valid', meantId = 'valid', due = UNSPECIFIED } = options;
      const takesBody = requestSchemaOf(operation) !== undefined;
      const { contentType = takesBody ? json : null } = options;
      const { method, path } = route(operation);
      return {
        operation,
        method,
        path: path.replace('{id}', () => segment ?? idOf(subject)) + (query === undefined ? '' : `?${query}`),
        subject,
        credential,
        headers: { ...accept, ...(contentType === null ? {} : { 'Content-Type': contentType }), ...options.headers },
        ...(body === undefined ? {} : { body }),
        ...(charset === undefined ? {} : { charset }),
        meant: { body: meantBody, id: meantId },
        purpose,
        due,
      };
    },
  };
}
