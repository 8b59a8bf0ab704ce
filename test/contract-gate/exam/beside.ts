import { edited, jsonAnswer, put, type Document } from './documents.ts';
import { IMPLEMENTERS, pair, type Pair } from './pair.ts';

/** The document with one more operation, which has nothing to do with the others. */
function beside(document: Document, required: readonly string[]): Document {
  const shown = { type: 'object', required, properties: { u: { type: 'string' }, v: { type: 'string' } } };
  return edited(
    document,
    put('/paths/~1unrelated', {
      servers: [{ url: 'https://unrelated.example.com' }],
      get: { operationId: 'unrelated', security: [], responses: { '200': jsonAnswer(shown) } },
    }),
  );
}

/**
 * Every pair that binds nobody, once more, with a change elsewhere that binds servers alone. A judge that looks closer as soon as anything
 * differs must not take alarm at what it let pass before.
 */
export function besideAnother(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.flatMap(({ name, base, head, clients, implementers }) =>
    clients !== 'compatible' || implementers !== 'compatible' || typeof base === 'string' || typeof head === 'string'
      ? []
      : [
          pair(
            `beside another change: ${name}`,
            beside(base, ['u']),
            beside(head, ['u', 'v']),
            IMPLEMENTERS,
            'Only the other change binds anybody: a BASE server may leave `v` out.',
          ),
        ],
  );
}
