import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { served } from '../measure.mjs';
import { inputsFor, startBehaviour } from '../../../proof/servers/behaviour.ts';
import { defects } from '../../../proof/catalogue.ts';
import { levelOf } from '../../../proof/judging.ts';

/*
 * A server to judge: `start` resolves with its address and the inputs of whoever judges it, `conforming` is a server with the same
 * data and inputs that has no fault, and `like` is the same for all servers with these data and inputs.
 */

/** The reference server with another behaviour (proof/servers/behaviour.ts). */
export function proofServer({ behaviour, inputs: own }) {
  const { seed } = behaviour;
  return {
    start: async () => {
      const { url, seed: data, close } = await startBehaviour(behaviour);
      return { url, inputs: inputsFor(url, data, own), close };
    },
    like: JSON.stringify([seed, own]),
    conforming: () => proofServer({ behaviour: seed === undefined ? {} : { seed }, inputs: own }),
  };
}

const SERVER = fileURLToPath(new URL('../../../proof/independent/server.py', import.meta.url));
const KEYS = { adminKey: 'independent-Admin-Key', restrictedKey: 'independent-Restricted-Key' };
const IDS = { userId: '1', otherUserId: '2', missingUserId: '999', roleIds: [1, 2], bannerIds: [1, 2, 3] };

function independentServer(...fault) {
  return {
    start: async () => {
      const keys = ['--admin-key', KEYS.adminKey, '--restricted-key', KEYS.restrictedKey];
      const { lines, close } = await served([SERVER, '--port', '0', ...keys, ...fault], /^listening /, 'python3');
      const url = lines.at(-1).replace('listening ', '');
      return { url, inputs: { baseUrl: new URL(url), ...KEYS, ...IDS, emailDomain: 'example.com' }, close };
    },
    like: 'independent',
    conforming: () => independentServer(),
  };
}

/** The faults of the independent implementation; none where there is no Python. */
function independentFaults() {
  const { stdout } = spawnSync('python3', [SERVER, '--list-faults'], { encoding: 'utf8' });
  const names = [...(stdout ?? '').matchAll(/^[^\t\n]+/gm)].map(([name]) => name);
  return names.map((id) => ({ id, kind: 'independent', server: independentServer('--fault', id) }));
}

/** Servers with which a tool should find something wrong; a sample is taken of each list. */
export const faulty = [
  defects.map((defect) => ({ id: defect.id, kind: levelOf(defect), server: proofServer(defect) })),
  independentFaults(),
];
