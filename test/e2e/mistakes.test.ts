import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cli, expectUsageError } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkResult, resultOf } from '../support/results.ts';

const folder = temporaryFolder();
folder.write('a-file', '');
folder.write('no-result.json', '{}');
folder.write('good.json', JSON.stringify(resultOf([checkResult()])));

const RUN = 'run --reference';
const FLEET = 'run --targets none.yaml --output refused';

/** What is wrong with a call, and what is said of it. */
const MISTAKES: Readonly<Record<string, RegExp>> = {
  rnu: /rnu: unknown command\. Did you mean run\?/,
  'http://localhost:4242': /unknown command\. Write: run BASE_URL\./,
  'help compere': /Did you mean compare\?/,

  run: /No target: give BASE_URL, set CONFORMANCE_BASE_URL, or use --reference/,
  'run --refrence': /--refrence: unknown option\. Did you mean --reference\?/,
  'run http://localhost --admin-key x': /set CONFORMANCE_ADMIN_KEY/,
  [`${RUN} --only update-nam-stored`]: /Did you mean update-name-stored\?/,
  [`${RUN} --only user-id --skip user-*`]: /leave no check/,
  [`${RUN} --baseline none.json`]: /--baseline none\.json: no such file/,
  [`${RUN} --journal no/j.json`]: /the folder no does not exist/,
  [`${RUN} --journal a-file/j`]: /--journal .*a-file is a file, not a folder/,
  [`${RUN} --seed 1`]: /add --explore/,
  [`${RUN} -q -v`]: /exclude each other/,
  [`${RUN} --report json=x.out --report html=x.out`]:
    /^admin-api-conformance: --report: two reports go to x\.out; .*\n$/,

  [`${FLEET} http://127.0.0.1:9`]: /exclude each other: the file has the addresses/,
  [`${FLEET} --user-id 1`]: /--targets and --user-id exclude each other/,
  [`${FLEET} --report json=x.json`]: /--targets and --report exclude each other/,
  [`${FLEET} --shard 3/2`]: /--shard: "3\/2" is no shard/,
  [`${FLEET} --parallel 0`]: /--parallel: "0" is not a whole number from 1 to 256/,
  [`${FLEET} --timeout x`]: /^admin-api-conformance: --timeout: /,
  'run http://127.0.0.1:9 --shard 1/2': /--shard is for fleets/,

  explain: /give the id/,
  'explain update-name-kept': /nothing has the id update-name-kept/,
  'explain update-open-without-keys': /Did you mean update-open-without-key\?/,
  'explain framing-chunk': /Did you mean framing-chunks\?/,

  restore: /give the journal/,
  'restore nowhere.json': /restore nowhere\.json/,

  'serve --seed x.json': /--seed: unknown option of serve; use --data FILE\./,
  'serve --port 70000': /--port: "70000" is not a whole number from 0 to 65535/,
  'serve --defect no-key-neded': /--defect no-key-neded: unknown .* mean no-key-needed\?/,
  'serve --defect zzzzzzzzzzzz': /unknown defect\. See "list --defects"\./,
  'serve --variant coding-gzp': /Did you mean coding-gzip\?/,
  'serve --defect a --variant b': /--defect and --variant exclude each other/,
  'serve --data a --defect b': /--data and --defect exclude each other/,

  render: /render: give the result of a run; "run --report json=PATH" writes one\./,
  'render nowhere.json': /nowhere\.json: no such file\./,
  'render no-result.json': /no-result\.json: it is not a result; /,
  'render x --format htm': /--format: "htm" is not one of .*Did you mean html\?/,
  'render x --output no/such/x.html': /--output no\/such\/x\.html: the folder no\/such does not exist/,

  'compare a.json': /compare: give two results, the earlier one first/,
  'compare a b c': /"c" is one argument too many/,
  'compare no.json no.json': /no\.json: no such file\./,
  'compare a b --format html': /"html" is not one of pretty, json, markdown/,
  observations: /observations: give the results, for example/,
  'observations good.json good.json': /two results have the name good; write NAME=/,
  'observations x=no-result.json': /no-result\.json: it is not a result/,

  'init localhost:4242': /neither an address, such as http:\/\/localhost:4242, nor a file/,
  'init config.json': /name a \.yaml file/,
  'init no/such/folder.yaml': /does not exist or is not writable/,
  'init a.yaml b.yaml': /"b.yaml" is one argument too many/,

  baseline: /baseline write RESULT\.json/,
  'baseline wirte x': /wirte: unknown command\. Did you mean write\?/,
  'baseline write': /give the result/,
  'baseline write nowhere.json': /nowhere\.json: no such file/,
  'baseline write x --expires 2027-02-30': /--expires: "2027-02-30" is not a date/,
  'baseline write x --expires 2020-01-01': /--expires: 2020-01-01 has passed/,
  'baseline write x --output known.yaml': /which would lose comments; name a \.json file/,
};

it.each(Object.entries(MISTAKES))('%s: one line, exit code 2, nothing on stdout', async (call, says) => {
  expectUsageError(await cli(call.split(' '), {}, folder.path), says);
  expect(existsSync(folder.at('conformance.yaml'))).toBe(false);
});
