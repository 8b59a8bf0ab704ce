import { expect, it } from 'vitest';
import { toTransportFailure } from '../../../../conformance/http/transport/transport-errors.ts';

it.each<[string, Error, string]>([
  ['files', Object.assign(new Error('connect EMFILE 127.0.0.1:80'), { code: 'EMFILE' }), 'no more files (ulimit -n)'],
  ['memory', Object.assign(new Error('connect ENOBUFS'), { code: 'ENOBUFS' }), 'no more memory (ulimit -v)'],
  [
    'memory for its own code',
    new Error('WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance'),
    'no more memory (ulimit -v)',
  ],
])('What this machine lacks is named: %s', (_what, error, named) => {
  const { kind, message } = toTransportFailure(error);
  expect(kind).toBe('unreachable');
  expect(message).toContain(named);
  expect(message).toContain(error.message);
});
