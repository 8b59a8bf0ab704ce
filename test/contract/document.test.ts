import { expect, it } from 'vitest';
import { operationsIn } from '../../contract/document.ts';

it('the operations of a document are under methods; other members of a path are passed over', () => {
  const get = { operationId: 'readThing', summary: 'Read', responses: {} };
  const paths = { '/things/{id}': { summary: 'A thing', parameters: [{ name: 'id', in: 'path' }], get } };
  expect(operationsIn(paths)).toEqual([{ method: 'GET', path: '/things/{id}', operation: get }]);
});
