import { openPoints, requirements } from '../contract/document.ts';
import { checks, checksOf } from '../conformance/checks/catalogue.ts';
import { INPUT_HELP } from '../conformance/resources/inputs.ts';
import { wrap } from '../conformance/report/terminal/paint.ts';
import { commandOf } from './input/command-table.ts';
import { formatOf, formatOption } from './input/options.ts';
import { layoutOf } from './output/io.ts';
import { loadProofServers } from './servers/proof-servers.ts';

const FORMATS = ['pretty', 'json'] as const;

const idsOf = (each: readonly { readonly id: string }[]): string[] => each.map(({ id }) => id);

/** A list as it is printed: entries with what they are about, then how many there are. */
interface Listing {
  readonly entries: readonly {
    readonly id: string;
    readonly level?: string;
    readonly text: string;
    readonly about: readonly string[];
  }[];
  readonly count: string;
}

function requirementListing(): Listing {
  const entries = requirements.map((each) => ({ ...each, about: idsOf(checksOf(each)) }));
  const count = `${requirements.length} requirements, ${checks.length} checks, ${openPoints.length} open points`;
  return { entries, count };
}

const requirementRecords = () => ({
  requirements: requirements.map((each) => ({ ...each, checks: idsOf(checksOf(each)) })),
  checks: checks.map(({ id, area, level, title, requirements: own, needs, failureModes }) => {
    const variables = needs.map((name) => INPUT_HELP[name].variable);
    return { id, area, level, title, requirements: own, needs: variables, failureModes };
  }),
  openPoints,
});

/** The servers of the proof that were asked for, as lists and as records. */
async function proofLists(withDefects: boolean, withVariants: boolean) {
  const { defects, variants } = await loadProofServers();
  const listings: Listing[] = [];
  const records: { defects?: object[]; variants?: object[] } = {};
  if (withDefects) {
    const entries = defects.map(({ id, title, breaks }) => ({ id, text: title, about: breaks }));
    listings.push({ entries, count: `${entries.length} defects` });
    records.defects = defects.map(({ id, title, breaks, killedBy }) => ({ id, title, breaks, killedBy }));
  }
  if (withVariants) {
    const entries = variants.map(({ id, title, about }) => ({ id, text: title, about }));
    listings.push({ entries, count: `${entries.length} variants` });
    records.variants = variants.map(({ id, title, about, inconclusive = {} }) => ({ id, title, about, inconclusive }));
  }
  return { listings, records };
}

/** `list`: requirements, checks, levels; or the servers of the proof. */
export const command = commandOf({
  usage: 'list',
  summary: 'list requirements and checks, or the servers of the proof',
  calls: ['list [options]'],
  about: `Lists the requirements of the contract with their levels and the checks that
judge them, or the servers that prove the suite.`,
  options: [
    { flag: '--defects', meaning: 'list the servers with a defect instead' },
    { flag: '--variants', meaning: 'list the conforming variants instead' },
    formatOption(FORMATS),
  ],
  examples: ['list', 'list --defects --format json'],
  exitCodes: '0, 2 usage.',
  run: async (parsed, { out, environment }) => {
    const { defects = false, variants = false } = parsed.values;
    const { listings, records } =
      defects || variants
        ? await proofLists(defects === true, variants === true)
        : { listings: [requirementListing()], records: requirementRecords() };
    if (formatOf(parsed, FORMATS) === 'json') {
      out.writeDocument(`${JSON.stringify(records, null, 2)}\n`);
      return 0;
    }
    const { paint, width } = layoutOf(out, environment);
    const texts = listings.map(({ entries, count }) => {
      const lines = entries.flatMap(({ id, level, text, about }) => [
        paint('bold', id) + (level === undefined ? '' : `  ${paint(level === 'must' ? 'red' : 'yellow', level)}`),
        wrap(text, width, '  '),
        paint('dim', wrap(about.join(', '), width, '    ')),
      ]);
      return `${lines.join('\n')}\n\n${count}\n`;
    });
    out.write(texts.join('\n'));
    return 0;
  },
});
