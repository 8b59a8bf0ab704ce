import { expect, test } from 'vitest';
import { explore } from '../../conformance/engine/explore.ts';
import { json, judged, type Script, scripted, targetOver } from './api.ts';

/** Tries sequences on a target after its opening. */
async function explored(script?: Script): Promise<string[]> {
  const target = targetOver(scripted(script).transport);
  await judged(target);
  return (await explore(target, 30, 7)).map(({ title }) => title);
}

test('an exploration of a good server finds nothing', async () => {
  expect(await explored()).toEqual([]);
});

test('an exploration tells the updates after which one is lost, and its seed', async () => {
  let last = '';
  const script: Script = ({ path, body = '' }, respond, { users }) => {
    const sent = `${path.slice(-1)} ${body.toString()}`;
    const isLost = /^1 .*"name"/.test(sent) && /^2 .*"rootRole"/.test(last);
    if (body !== '{}') last = sent;
    return isLost ? json(200, users.get(1)) : respond();
  };
  const [title] = await explored(script);
  expect(title).toMatch(/^`name` is not stored: .* \(after the updates user .*name.*; --seed 7\)$/);
});
