import { oneOf, UsageError, type OptionDefinitions } from '../../common/args.ts';
import { runEntry } from '../../common/entry.ts';
import { classify } from './classify.ts';
import { loadDescription } from './load.ts';
import { redoclyBothWays } from './redocly.ts';
import { toMarkdown, toText } from './report.ts';

const HELP = `Usage: npm run --silent gate:diff -- BASE HEAD [--redocly] [--format json|pretty|markdown]

Judges the change from one OpenAPI 3.x document to another: whether it breaks
clients, whether it breaks implementers, and which version bump it requires.

  BASE, HEAD     files, YAML or JSON
  --redocly      asks "redocly diff" too, and shows where it judges differently,
                 as the gate does (several times as slow)
  --format F     json (default), pretty or markdown

Exit code 0 when a judgement was reached, whatever it is; 2 when not.
`;

const FORMATS = ['json', 'pretty', 'markdown'] as const;

const OPTIONS: OptionDefinitions = { format: { type: 'string', default: 'json' }, redocly: { type: 'boolean' } };

await runEntry({ name: 'gate:diff', help: HELP, options: OPTIONS, positionals: 2 }, async ({ values, positionals }) => {
  const format = oneOf('--format', String(values.format), FORMATS);
  const [base, head] = positionals;
  if (base === undefined || head === undefined)
    throw new UsageError('Two documents are needed: npm run --silent gate:diff -- BASE HEAD');
  const ask = values.redocly === true ? redoclyBothWays : undefined;
  const judgement = await classify(await loadDescription('base', base), await loadDescription('head', head), ask);
  const written = {
    json: () => `${JSON.stringify(judgement, null, 2)}\n`,
    pretty: () => toText(judgement),
    markdown: () => toMarkdown(judgement),
  };
  process.stdout.write(written[format]());
  return 0;
});
