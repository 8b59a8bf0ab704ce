/** Whom a change breaks, where that depends on more than the rule. */
export const EFFECTS = {
  /** Fewer values are allowed, which breaks who sends them. */
  less: 'clients in a request, implementers in a response',
  /** More values are allowed, which breaks who receives them. */
  more: 'implementers in a request, clients in a response',
  /** Other values are allowed; it depends on more than the rule which of these it is. */
  some: 'who sends what is gone, and who receives what is new',
  /** Only what people read differs, for which a patch is enough. */
  words: 'nobody',
} as const;

type Broken = 'clients' | 'implementers' | 'both' | 'nobody';
/** What is always so, or what may be so, by more than the rule. */
type Effect = keyof typeof EFFECTS | Broken | `${Broken}|${string}`;

/** Rules by name: whom a change breaks, and what it is. */
export type RuleTable = Readonly<Record<string, readonly [effect: Effect, what: string]>>;

/** The rules of the judge: whom a change breaks, and what it is. `RULES.md` shows this table. */
export const RULES = {
  'operation-added': ['implementers', 'An operation is new'],
  'operation-removed': ['clients', 'An operation is gone'],
  'operation-removed-after-sunset': ['clients', 'A deprecated operation is gone after its `x-sunset`'],
  'operation-id-changed': ['nobody', 'An `operationId` changes'],
  'deprecated-changed': ['nobody', '`deprecated` changes'],
  'path-parameter-renamed': ['words', 'A path parameter has another name'],
  'parameter-added': ['implementers', 'An optional parameter is new'],
  'required-parameter-added': ['clients|both', 'A required parameter is new: breaks both; in a callback, its sender'],
  'parameter-removed': ['clients|both', 'A parameter is gone: breaks clients; if it was required, both'],
  'parameter-removed-after-sunset': ['clients|both', 'A deprecated parameter is gone after its `x-sunset`'],
  'parameter-required': ['less', 'A parameter is required now'],
  'parameter-optional': ['more', 'A parameter is no longer required'],
  'parameter-repeatable': ['more', 'A query parameter may be sent several times now'],
  'parameter-not-repeatable': ['less', 'A query parameter may be sent only once now'],
  'parameter-serialization': ['both', '`style` or `explode` of a parameter changes how it is written'],
  'parameter-media-type': ['both', 'A parameter or header is written in another media type'],
  'parameter-characters': ['some', '`allowReserved` or `allowEmptyValue` allows more or less'],
  'request-body-added': [
    'clients|implementers|both|nobody',
    'A request has a body now; a required one breaks clients, too',
  ],
  'request-body-removed': ['clients|both', 'A request has no body any more: breaks clients; if it was required, both'],
  'request-body-required': ['less', 'A request body is required now'],
  'request-body-optional': ['more', 'A request body is no longer required'],
  'media-type-added': ['implementers|both', 'A media type is new: breaks implementers; a range in a response, both'],
  'media-type-removed': ['clients|both', 'A media type is gone: of a request, breaks clients; of a response, both'],
  'encoding-changed': ['some', 'A part of a form has another media type, or is written in another style'],
  'response-added': [
    'clients|implementers|nobody',
    'A response is new: a 2xx or 3xx breaks its receiver, an error nobody',
  ],
  'response-removed': ['both', 'A response is gone'],
  'response-narrowed': ['less', 'Only some statuses of a range are left'],
  'response-generalised': ['more', 'A response is documented only as part of a range now'],
  'links-changed': ['nobody', 'The links of a response change'],
  'header-added': ['clients|implementers|nobody', 'A header of a response is new: a required one breaks implementers'],
  'header-removed': ['clients', 'A header of a response is gone'],
  'header-required': ['less', 'A header is required now'],
  'header-optional': ['more', 'A header is no longer required'],
  'header-serialization': ['both', 'A header is written in another way'],
  'security-tightened': [
    'clients|implementers|both',
    'Credentials are no longer enough; if more are required, it breaks both',
  ],
  'security-loosened': ['more', 'Credentials are enough now that were not'],
  'security-changed': ['both', 'Other credentials are required'],
  'oauth-flow-added': ['implementers', 'An OAuth flow is new'],
  'oauth-flow-removed': ['clients', 'An OAuth flow is gone'],
  'oauth-flow-changed': ['both', 'The addresses of an OAuth flow change'],
  'oauth-scopes-changed': ['nobody', 'The scopes that an OAuth flow offers change'],
  'server-added': ['nobody', 'A server is new'],
  'server-removed': ['clients|both', 'A server is gone: breaks clients; if none is left of the old ones, both'],
  'server-variable-default': ['both', 'The default of a variable in an address changes'],
  'server-variable-narrowed': ['clients', 'Values of a variable in an address are gone'],
  'server-variable-widened': ['nobody', 'A variable in an address may have more values'],
  'type-narrowed': ['less', 'A type is no longer allowed'],
  'type-widened': ['more', 'A type is allowed now'],
  'type-changed': ['both', 'The type changes'],
  'enum-values-removed': ['less', 'Values of a list are no longer allowed'],
  'enum-values-added': ['more', 'More values of a list are allowed'],
  'enum-added': ['some', 'Only the values of a list are allowed now'],
  'enum-removed': ['some', 'Values outside of a list are allowed now'],
  'extensible-values-removed': ['clients|nobody', 'Values are gone from an open list (`x-extensible-enum`)'],
  'extensible-values-added': ['nobody', 'Values are new in an open list (`x-extensible-enum`)'],
  'minimum-tightened': ['less', '`minimum` or `exclusiveMinimum` leaves less'],
  'minimum-loosened': ['more', '`minimum` or `exclusiveMinimum` leaves more'],
  'maximum-tightened': ['less', '`maximum` or `exclusiveMaximum` leaves less'],
  'maximum-loosened': ['more', '`maximum` or `exclusiveMaximum` leaves more'],
  'minimum-size-changed': ['some', '`minLength`, `minItems` or `minProperties` leaves more or less'],
  'maximum-size-changed': ['some', '`maxLength`, `maxItems` or `maxProperties` leaves more or less'],
  'unique-items-changed': ['some', '`uniqueItems` leaves more or less'],
  'multiple-of-changed': ['some', '`multipleOf` leaves more or less; an integer is a multiple of 1'],
  'format-changed': ['some', '`format` leaves more or less'],
  'pattern-changed': ['some', '`pattern` leaves more or less; one that every text fits, such as `.*`, is none'],
  'member-added': [
    'implementers|nobody|both|clients',
    'An optional member is new: a server has to honour it in a request',
  ],
  'required-member-added': ['implementers|both', 'A required member is new: in a request, breaks both'],
  'member-removed': ['clients|both', 'A member is gone; if the object is closed, or had to have it, that breaks both'],
  'member-removed-after-sunset': ['clients|both', 'A deprecated member is gone after its `x-sunset`'],
  'closed-member-added': [
    'clients|both',
    'An optional member is new in a closed response (`additionalProperties: false`)',
  ],
  'member-required': ['less', 'A member is required now'],
  'member-optional': ['more', 'A member is no longer required'],
  'member-forbidden': ['some', 'A member is forbidden now'],
  'member-no-longer-forbidden': ['some', 'A member is no longer forbidden'],
  'other-members-forbidden': ['less', 'Members that are not listed are forbidden now'],
  'other-members-allowed': ['more', 'Members that are not listed are allowed now'],
  'alternative-added': ['more', 'An alternative is allowed now'],
  'alternative-removed': ['less', 'An alternative is gone'],
  'alternative-listed': ['nobody', 'An alternative is new whose values another one allowed'],
  'alternative-unlisted': ['nobody', 'An alternative is gone whose values another one allows'],
  'alternatives-split': ['some', 'One object becomes several alternatives, or several become one'],
  'alternatives-exclusive': ['some', 'Other values fit more than one alternative of a `oneOf`'],
  'discriminator-changed': [
    'both|nobody',
    'The discriminator is another member, which breaks both; or it comes or goes',
  ],
  'discriminator-value-added': ['more', 'A value of the discriminator is new'],
  'discriminator-value-removed': ['less', 'A value of the discriminator is gone'],
  'discriminator-mapping-changed': ['some', 'A value of the discriminator stands for another schema'],
  'constraint-changed': ['some', 'A keyword that is not computed demands more or less'],
  'schema-not-comparable': ['both', 'A schema is nested too deeply to be compared'],
  'default-added': ['implementers', 'A default of what a request may leave out is new'],
  'default-removed': ['clients', 'A default of what a request may leave out is gone'],
  'default-changed': ['both', 'A default of what a request may leave out changes'],
  'xml-changed': ['both', 'The XML form of a value changes'],
  'extension-changed': ['nobody', 'Another extension (`x-…`) changes'],
  wording: ['words', 'What people read changes: a description, a title, an example'],
  rewritten: ['words', 'The document is written differently and means the same'],
} as const satisfies RuleTable;

type Rules = typeof RULES;

/** A rule that says by itself whom a change breaks. */
export type DecidedRule = {
  [R in keyof Rules]: Rules[R][0] extends 'less' | 'more' | 'some' | `${string}|${string}` ? never : R;
}[keyof Rules];

/** A rule of the judge. */
export type Rule = keyof Rules;
