// The reference server, so many ms away. Prints its address.
//   node --import ./scripts/typescript.mjs scripts/bench/slow-server.mjs MS
import { setTimeout as sleep } from 'node:timers/promises';
import { startBehaviour } from '../../proof/servers/behaviour.ts';

const delay = Number(process.argv[2]);
const around = (handle) => async (request) => {
  if (delay > 0) await sleep(delay);
  return handle(request);
};
const { url } = await startBehaviour({ around });
console.log(url);
