import { expect, test } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { sideEffects } from '../../conformance/checks/side-effects.ts';
import { brokenIn, json, judged, scripted, sessionOver } from '../support/engine.ts';

test('a banner that shows the last name of a user is found, although the same name changes it only once', async () => {
  let message = '';
  const { transport } = scripted(async (request, respond) => {
    const response = await respond();
    if (request.method === 'GET' && response.status === 200) return json(200, { banners: [{ id: 1, message }] });
    const user = parsedJson(response.bytes.toString()) as { name: string };
    if (request.method === 'PUT' && response.status === 200) message = user.name;
    return response;
  });
  expect(Object.keys(brokenIn(await judged(sessionOver(transport), ...sideEffects)))).toEqual([
    'side-effects.of-updates',
  ]);
});
