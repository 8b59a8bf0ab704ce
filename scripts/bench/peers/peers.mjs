import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../../cli/input/settings.ts';
import { contractDocument, responseSchemaOf, route } from '../../../contract/document.ts';
import { ran, TYPESCRIPT } from '../measure.mjs';
import { record } from '../requests.mjs';
import { casesFor } from './cases.mjs';
import { portmanConfiguration } from './portman.mjs';
import { fileOf } from './tools.mjs';

const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const CONTRACT = at('contract/openapi.json');

const withInputs = (url, inputs) => environmentOf({ ...inputs, baseUrl: new URL(url) });

/** The cases as Dredd's hooks need them, which know nothing of the contract. */
function casesForDredd(inputs) {
  const cases = casesFor(inputs).map((each) => {
    const { method, path } = route(each.operation);
    const schema = each.status === 200 ? responseSchemaOf(each.operation) : 'errorSchema';
    return { ...each, method: method.toUpperCase(), path: path.replace('{id}', each.id), schema };
  });
  return JSON.stringify({ cases, schemas: contractDocument.components.schemas });
}

async function makeCollection(inputs, folder) {
  const [configuration, collection] = ['portman.json', 'collection.json'].map((name) => join(folder, name));
  writeFileSync(configuration, JSON.stringify(portmanConfiguration(casesFor(inputs), inputs)));
  const portman = fileOf('@apideck/portman', 'bin/portman');
  // Portman writes into its working directory, too.
  const { code, stdout, stderr } = await ran([portman, '-l', CONTRACT, '-c', configuration, '-o', collection], {
    cwd: folder,
  });
  if (code !== 0) throw new Error(`Portman ended with ${code}: ${stdout}${stderr}`);
  return collection;
}

/** Prism ends when a path cannot be decoded. */
function isDecodable({ path }) {
  try {
    return decodeURI(path) !== undefined;
  } catch {
    return false;
  }
}

async function recordRequests(inputs, folder) {
  const requests = await record(inputs);
  const kept = [...requests.keys()].filter((index) => isDecodable(requests[index]));
  const places = new Map(kept.map((index, place) => [index, place]));
  const file = join(folder, 'requests.json');
  const placesOf = (indices) => indices.flatMap((index) => places.get(index) ?? []);
  writeFileSync(
    file,
    JSON.stringify(kept.map((index) => ({ ...requests[index], after: placesOf(requests[index].after) }))),
  );
  return file;
}

/**
 * The tools, with the set-up that somebody who knows them would write in an hour. `prepare` makes what all its runs need, on the
 * reference server; `command` are the arguments and the environment of a Node program whose exit code is its verdict.
 */
export const peers = {
  own: {
    tool: 'this suite',
    packages: [],
    apart: 'It is proven with these defects; `--fail-on should`',
    command: (url, inputs) => [[at('dist/cli/main.js'), 'run', '--fail-on', 'should'], withInputs(url, inputs)],
  },
  respect: {
    tool: '`redocly respect`',
    packages: ['@redocly/cli'],
    apart: 'It runs our `arazzo.yaml`, in which every body is JSON',
    command: (url, inputs) => [[...TYPESCRIPT, at('scripts/contract/respect.mjs')], withInputs(url, inputs)],
  },
  dredd: {
    tool: 'Dredd',
    packages: ['dredd'],
    apart: 'It knows OpenAPI 3.0; hooks add the schemas, and most requests',
    prepare: casesForDredd,
    command: (url, _inputs, cases) => [
      [
        fileOf('dredd', 'bin/dredd'),
        ...[CONTRACT, url, '--loglevel', 'error', '--hookfiles', at('scripts/bench/peers/dredd-hooks.cjs')],
      ],
      { PEER_CASES: cases },
    ],
  },
  portman: {
    tool: 'Portman, Newman',
    packages: ['@apideck/portman', 'newman'],
    apart: 'The time is that of Newman, without that of Portman',
    prepare: makeCollection,
    command: (url, _inputs, collection) => [
      [fileOf('newman', 'bin/newman.js'), 'run', collection, '--env-var', `baseUrl=${url}`],
      {},
    ],
  },
  prism: {
    tool: 'Prism proxy',
    packages: ['@stoplight/prism-cli'],
    apart: 'It judges each response alone, and expects no particular status',
    prepare: recordRequests,
    command: (url, _inputs, requests) => [[...TYPESCRIPT, at('scripts/bench/peers/prism-run.mjs'), requests, url], {}],
  },
};
