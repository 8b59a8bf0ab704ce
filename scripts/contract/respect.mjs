// Runs the workflows of arazzo.yaml with "redocly respect", against the reference server or, if it is set, CONFORMANCE_BASE_URL
// with the other CONFORMANCE_ variables of the suite. Passes its arguments on, for example --workflow ID.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { parseBaseUrl } from '../../cli/input/kinds.ts';
import { parseTarget } from '../../cli/input/settings.ts';
import { UsageError } from '../../common/process/args.ts';
import { using } from '../../common/using.ts';
import { baseAddress, INPUT_HELP } from '../../conformance/resources/inputs.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import { redocly } from './redocly.mjs';

const { workflows } = parse(await readFile(new URL('../../arazzo.yaml', import.meta.url), 'utf8'));

/** The inputs of the workflows for a target. Each run has new names and e-mail addresses. */
function workflowInputs({ adminKey, restrictedKey, userId, missingUserId, roleIds = [], emailDomain }) {
  const run = randomBytes(4).toString('hex');
  return {
    adminKey,
    restrictedKey,
    userId,
    missingUserId,
    role: roleIds[0],
    name: `Conformance ${run} 1`,
    otherName: `Conformance ${run} 2`,
    email: `conformance-${run}-1@${emailDomain}`,
    otherEmail: `conformance-${run}-2@${emailDomain}`,
  };
}

/** The workflows that lack inputs, each with the variables to set. */
function lacking(inputs) {
  return workflows.flatMap(({ workflowId, inputs: { required } }) => {
    const missing = required.filter((name) => inputs[name] === undefined);
    const variables = missing.map((name) => INPUT_HELP[name === 'role' ? 'roleIds' : name].variable);
    return variables.length === 0 ? [] : [{ workflowId, variables }];
  });
}

function skipped(inputs, args) {
  if (args.some((argument) => /^(-w|--workflow)(=|$)/.test(argument))) return [];
  const without = lacking(inputs);
  if (without.length === workflows.length) {
    throw new UsageError('No workflow can run: set CONFORMANCE_ADMIN_KEY, CONFORMANCE_USER_ID and the others.');
  }
  for (const { workflowId, variables } of without) {
    console.error(`${workflowId} is skipped: set ${variables.join(' and ')}.`);
  }
  return without.flatMap(({ workflowId }) => ['--skip', workflowId]);
}

/** Passes the inputs and the address in the environment, because anyone on the machine can read arguments. */
function respect(baseUrl, target, args) {
  const inputs = workflowInputs(target);
  // The contract allows every JSON media type, Redocly only the one in openapi.yaml.
  const severity = ['--severity', 'CONTENT_TYPE_CHECK=warn'];
  return redocly(['respect', 'arazzo.yaml', ...severity, ...skipped(inputs, args), ...args], {
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    REDOCLY_CLI_RESPECT_SERVER: JSON.stringify({ api: baseUrl }),
  });
}

function respectReferenceServer(args) {
  return using(createReferenceServer(), ({ url, seed }) => respect(url, inputsFor(url, seed), args));
}

function respectTarget(address, args) {
  const baseUrl = baseAddress(parseBaseUrl('CONFORMANCE_BASE_URL', address));
  return respect(baseUrl, parseTarget({ values: {} }, process.env), args);
}

const args = process.argv.slice(2);
const address = process.env.CONFORMANCE_BASE_URL;
try {
  process.exitCode = await (address ? respectTarget(address, args) : respectReferenceServer(args));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
