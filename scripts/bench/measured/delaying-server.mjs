// The reference server, so many ms away.
//   node scripts/bench/measured/delaying-server.mjs MS
import { setTimeout as sleep } from 'node:timers/promises';
import { startBehaviour } from '../../../proof/servers/behaviour.ts';

const delay = Number(process.argv[2]);
const around = (handle) => async (request) => {
  await sleep(delay);
  return handle(request);
};
const { url } = await startBehaviour({ around });
console.log(url);
