/** The rules: a row for each, found by its id. */
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

/** Rules by name: whom a change breaks, what it is, and what is said of one. */
export type RuleTable = Readonly<Record<string, readonly [breaks: Effect, what: string, example?: string]>>;

/** The rules of the judge. `RULES.md` shows this table; a test sees to it that cases of theirs say what the examples say. */
export const RULES = {
  'document-added': ['nobody', 'A document is new', 'the document is new'],
  'document-removed': ['clients', 'A document is gone', 'the document is gone'],
  'operation-added': ['implementers', 'An operation is new', 'is new: a server has to offer it'],
  'operation-removed': ['clients', 'An operation is gone', 'is gone, and so is its path'],
  'operation-removed-after-sunset': [
    'clients',
    'A deprecated operation is gone after its `x-sunset`',
    'is gone, as announced for 2020-01-31, and so is its path',
  ],
  'operation-hidden': [
    'clients',
    'An operation is internal now (`x-internal`), or not even beta (`x-stability-level`)',
    'is no longer public',
  ],
  'operation-id-changed': ['nobody', 'An `operationId` changes', '`operationId` changes from "a" to "readA"'],
  'deprecated-changed': ['nobody', '`deprecated` changes', '`deprecated` changes from false to true'],
  'path-parameter-renamed': [
    'words',
    'A path parameter has another name',
    'the path /things/{id} is now written /things/{thingId}; requests stay the same',
  ],
  'path-parameter-described': [
    'nobody',
    'A parameter in a path is described only now, or no longer',
    'path parameter id is described only now',
  ],
  'parameter-added': [
    'implementers',
    'An optional parameter is new',
    'query parameter q is new and optional, and has to be honoured',
  ],
  'required-parameter-added': [
    'clients|both',
    'A required parameter is new: breaks both; in a callback, its sender',
    'query parameter q is new and required',
  ],
  'parameter-removed': [
    'clients|both',
    'A parameter is gone: breaks clients; if it was required, both',
    'query parameter q is gone',
  ],
  'parameter-removed-after-sunset': [
    'clients|both',
    'A deprecated parameter is gone after its `x-sunset`',
    'query parameter q is gone, as announced for 2020-01-31',
  ],
  'parameter-required': ['less', 'A parameter is required now', 'query parameter q is required now'],
  'parameter-optional': ['more', 'A parameter is no longer required', 'query parameter q is no longer required'],
  'parameter-repeatable': [
    'more',
    'A query parameter may be sent several times now',
    'query parameter q may be sent several times now',
  ],
  'parameter-not-repeatable': [
    'less',
    'A query parameter may be sent only once now',
    'query parameter q may be sent only once now',
  ],
  'parameter-serialization': [
    'both',
    '`style` or `explode` of a parameter changes how it is written',
    'query parameter q is written in the style `form`, exploded, where it was as a single value',
  ],
  'parameter-media-type': [
    'both',
    'A parameter or header is written in another media type',
    'query parameter q is written as application/json, where it was a plain value',
  ],
  'parameter-characters': [
    'some',
    '`allowReserved` or `allowEmptyValue` allows more or less',
    'query parameter q: `allowReserved` changes from false to true',
  ],
  'request-body-added': [
    'clients|implementers|both|nobody',
    'A request has a body now; a required one breaks clients, too',
    'body is new and optional',
  ],
  'request-body-removed': [
    'clients|both',
    'A request has no body any more: breaks clients; if it was required, both',
    'body is gone',
  ],
  'request-body-required': ['less', 'A request body is required now', 'body is required now'],
  'request-body-optional': ['more', 'A request body is no longer required', 'body is no longer required'],
  'media-type-added': [
    'implementers|both',
    'A media type is new: breaks implementers; a range in a response, both',
    'body: text/plain is accepted now',
  ],
  'media-type-removed': [
    'clients|both',
    'A media type is gone: of a request, breaks clients; of a response, both',
    'body: text/plain is no longer accepted',
  ],
  'encoding-changed': [
    'both',
    'What is said of how a part of a form is written changes',
    'body.f: the encoding of the part changes from {"contentType":"image/png"} to {"contentType":"image/jpeg, image/png"}',
  ],
  'response-added': [
    'clients|implementers|nobody',
    'A response is new: a 2xx or 3xx breaks its receiver, an error nobody',
    'response 206 is new: its receiver does not expect it',
  ],
  'response-removed': ['both', 'A response is gone', 'response 206 is gone'],
  'error-response-removed': [
    'nobody',
    'An error is no longer documented, and others of its kind with the same body, or with any if it has none, still are',
    'response 410 is no longer documented, beside others like it',
  ],
  'response-narrowed': ['less', 'Only some statuses of a range are left', 'response 2XX is documented only in part'],
  'response-generalised': [
    'more',
    'A response is documented only as part of a range now',
    'response 200 is documented only as one of 2XX now',
  ],
  'links-changed': [
    'nobody',
    'The links of a response change',
    'response 200: the links change from {} to {"b":{"operationId":"b"}}',
  ],
  'header-added': [
    'clients|implementers|nobody',
    'A header of a response is new: a required one breaks implementers',
    'response 200, header x-rate is new and required',
  ],
  'header-removed': ['clients', 'A header of a response is gone', 'response 200, header etag is gone'],
  'header-required': ['less', 'A header is required now', 'response 200, header x-next is required now'],
  'header-optional': ['more', 'A header is no longer required', 'response 200, header x-next is no longer required'],
  'header-serialization': [
    'both',
    'A header is written in another way',
    'response 200, header x-a is written in the style `simple`, exploded, where it was in the style `simple`, not exploded',
  ],
  'security-tightened': [
    'clients|implementers|both',
    'Credentials are no longer enough; if more are required, it breaks both',
    'the required credentials change from OAuth 2 (b), or OAuth 2 (a) to OAuth 2 (a)',
  ],
  'security-loosened': [
    'more',
    'Credentials are enough now that were not',
    'the required credentials change from OAuth 2 (a) to OAuth 2 (b), or OAuth 2 (a)',
  ],
  'security-changed': [
    'both',
    'Other credentials are required',
    'the required credentials change from HTTP basic to HTTP bearer',
  ],
  'oauth-flow-added': [
    'implementers',
    'An OAuth flow is new',
    'OAuth 2 (o): the flow clientCredentials is new: a server has to offer it',
  ],
  'oauth-flow-removed': ['clients', 'An OAuth flow is gone', 'OAuth 2 (o): the flow clientCredentials is gone'],
  'oauth-flow-changed': [
    'both',
    'The addresses of an OAuth flow change',
    'OAuth 2 (a), flow clientCredentials: the addresses change: tokenUrl from /a to /c',
  ],
  'oauth-scopes-changed': [
    'nobody',
    'The scopes that an OAuth flow offers change',
    'OAuth 2 (o), flow password: the scopes change: gone: none; new: b',
  ],
  'server-added': ['nobody', 'A server is new', 'the server https://spare.example/v1 is new: nobody has to use it'],
  'server-removed': [
    'clients|both',
    'A server is gone: breaks clients; if none is left of the old ones, both',
    'the server https://eu.example.com is gone',
  ],
  'server-variable-default': [
    'both',
    'The default of a variable in an address changes',
    'the server https://{region}.example.com: its variable region: the default changes from "eu" to "us"',
  ],
  'server-variable-narrowed': [
    'clients',
    'Values of a variable in an address are gone',
    'the server https://{a}.example: its variable a: its values change from x, y to x',
  ],
  'server-variable-widened': [
    'nobody',
    'A variable in an address may have more values',
    'the server https://{a}.example: its variable a: its values change from x to x, y',
  ],
  'type-narrowed': ['less', 'A type is no longer allowed', 'body.id: null is no longer allowed'],
  'type-widened': ['more', 'A type is allowed now', 'body.id: string is allowed now'],
  'type-changed': ['both', 'The type changes', 'body: the type changes from string to number'],
  'enum-values-removed': ['less', 'Values of a list are no longer allowed', 'body.value: 1 is no longer allowed'],
  'enum-values-added': ['more', 'More values of a list are allowed', 'body: "l" is allowed now'],
  'enum-added': ['some', 'Only the values of a list are allowed now', 'body.at: only "a" is allowed now'],
  'enum-removed': [
    'some',
    'Values outside of a list are allowed now',
    'body.at: any value is allowed now, where it was "a"',
  ],
  'extensible-values-removed': [
    'clients|nobody',
    'Values are gone from an open list (`x-extensible-enum`)',
    'body.a: "y" is gone from an open list',
  ],
  'extensible-values-added': [
    'nobody',
    'Values are new in an open list (`x-extensible-enum`)',
    'body.a: "z" is new in an open list',
  ],
  'minimum-tightened': [
    'less',
    '`minimum` or `exclusiveMinimum` leaves less',
    'body.a: the minimum changes from none to 1',
  ],
  'minimum-loosened': [
    'more',
    '`minimum` or `exclusiveMinimum` leaves more',
    'body.a: the minimum changes from 1 to none',
  ],
  'maximum-tightened': [
    'less',
    '`maximum` or `exclusiveMaximum` leaves less',
    'query parameter q: the maximum changes from 100 to 50',
  ],
  'maximum-loosened': [
    'more',
    '`maximum` or `exclusiveMaximum` leaves more',
    'body.count: the maximum changes from 10 to 20',
  ],
  'minimum-size-changed': [
    'some',
    '`minLength`, `minItems` or `minProperties` leaves more or less',
    'body.value: the least length changes from 1 to 3',
  ],
  'maximum-size-changed': [
    'some',
    '`maxLength`, `maxItems` or `maxProperties` leaves more or less',
    'body: the greatest length changes from 5 to 9',
  ],
  'unique-items-changed': [
    'some',
    '`uniqueItems` leaves more or less',
    'body.value: the rule for equal elements changes from allowed to forbidden',
  ],
  'multiple-of-changed': [
    'some',
    '`multipleOf` leaves more or less; an integer is a multiple of 1',
    'body.size: what is allowed changes from any number to whole numbers',
  ],
  'format-changed': ['some', '`format` leaves more or less', 'body.n: the format changes from none to int32'],
  'pattern-changed': [
    'some',
    '`pattern` leaves more or less; one that every text fits, such as `.*`, is none',
    'body.name: the pattern changes from none to ^a$',
  ],
  'member-added': [
    'implementers|nobody|both|clients',
    'An optional member is new: a server has to honour it in a request',
    'body.at is new and optional',
  ],
  'required-member-added': [
    'implementers|both',
    'A required member is new: in a request, breaks both',
    'body.id is new and required',
  ],
  'member-removed': [
    'clients|both',
    'A member is gone; if the object is closed, or had to have it, that breaks both',
    'body.b is gone',
  ],
  'member-removed-after-sunset': [
    'clients|both',
    'A deprecated member is gone after its `x-sunset`',
    'response 200.a is gone, as announced for 2020-01-31',
  ],
  'closed-member-added': [
    'clients|both',
    'An optional member is new in a closed response (`additionalProperties: false`)',
    'response 200.b is new and optional: the object was closed, so that a client may refuse it',
  ],
  'member-required': ['less', 'A member is required now', 'body.id is required now'],
  'member-optional': ['more', 'A member is no longer required', 'body.id is no longer required'],
  'member-forbidden': ['some', 'A member is forbidden now', 'body.b is forbidden now'],
  'member-no-longer-forbidden': ['some', 'A member is no longer forbidden', 'body.b is no longer forbidden'],
  'other-members-forbidden': [
    'less',
    'Members that are not listed are forbidden now',
    'body: members that are not listed are forbidden now',
  ],
  'other-members-allowed': [
    'more',
    'Members that are not listed are allowed now',
    'body: members that are not listed are allowed now',
  ],
  'alternative-added': ['more', 'An alternative is allowed now', 'response 200: the alternative Flat is allowed now'],
  'alternative-removed': ['less', 'An alternative is gone', 'response 200: the alternative Flat is gone'],
  'alternative-listed': [
    'nobody|implementers',
    'An alternative is new whose values another one allowed; members that it brings have to be honoured',
    'response 200: the alternative Cat is new; its values were allowed',
  ],
  'alternative-unlisted': [
    'nobody|clients',
    'An alternative is gone whose values another one allows; members may go with it',
    'response 200: the alternative Cat is gone; its values stay allowed',
  ],
  'alternatives-exclusive': [
    'some',
    'Other values fit more than one alternative of a `oneOf`',
    'body: what fits several alternatives of the `oneOf` is refused',
  ],
  'discriminator-changed': [
    'both|nobody',
    'The discriminator is another member, which breaks both; or it comes or goes',
    'response 200: the discriminator changes from form to kind',
  ],
  'discriminator-value-added': [
    'more',
    'A value of the discriminator is new',
    'body: the discriminator\'s value "fish" is new: its receiver may not know it',
  ],
  'discriminator-value-removed': [
    'less',
    'A value of the discriminator is gone',
    'body: the discriminator\'s value "fish" is gone',
  ],
  'discriminator-mapping-changed': [
    'some',
    'A value of the discriminator stands for another schema',
    'response 200: the discriminator\'s value "a" stands for another schema: Cat → Dog',
  ],
  'constraint-changed': [
    'some',
    'A keyword that is not computed demands more or less',
    'body.label: `not` demands {"not":{"const":"bad"}}, where it was nothing more',
  ],
  'schema-not-comparable': [
    'both',
    'A schema is nested too deeply to be compared',
    'body: this is too much to be compared: there are too many alternatives, or they are nested too deeply',
  ],
  'default-added': [
    'implementers',
    'A default of what a request may leave out is new',
    'body.label: "none" is the default now',
  ],
  'default-removed': ['clients', 'A default of what a request may leave out is gone', 'body.a: the default 1 is gone'],
  'default-changed': [
    'both',
    'A default of what a request may leave out changes',
    'body.b: the default changes from "x" to "y"',
  ],
  'xml-changed': [
    'both',
    'The XML form of a value changes',
    'response 200.note: the XML form changes from {} to {"name":"n"}',
  ],
  'extension-changed': [
    'nobody',
    'Another extension (`x-…`) changes',
    'the extension `x-audience` changes from nothing to "partners"',
  ],
  wording: ['words', 'What people read changes: a description, a title, an example', '`tags` changes'],
  rewritten: [
    'words',
    'The document is written differently and means the same',
    'the document is written differently, and nothing that an operation uses changes',
  ],
} as const satisfies RuleTable;

type Rules = typeof RULES;

/** A rule that says by itself whom a change breaks. */
export type DecidedRule = {
  [R in keyof Rules]: Rules[R][0] extends 'less' | 'more' | 'some' | `${string}|${string}` ? never : R;
}[keyof Rules];

/** A rule of the judge. */
export type Rule = keyof Rules;
