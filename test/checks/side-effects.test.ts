import { expect, test } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { sideEffects } from '../../conformance/checks/side-effects.ts';
import { brokenIn, json, judgedBy, type Script } from '../support/engine.ts';

test('a banner that shows the last name of a user is found, although the same name changes it only once', async () => {
  let message = '';
  const shows: Script = async ({ method }, respond) => {
    const response = await respond();
    if (response.status !== 200) return response;
    if (method === 'GET') return json(200, { banners: [{ id: 1, message }] });
    message = (parsedJson(response.bytes.toString()) as { name: string }).name;
    return response;
  };
  expect(Object.keys(brokenIn(await judgedBy(shows, ...sideEffects)))).toEqual(['side-effects.of-updates']);
});
