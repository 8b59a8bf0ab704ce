import { html, type Content, type Html } from '../../common/html.ts';
import { descriptionOf, settingsByGroup } from '../../cli/input/settings.ts';
import { articleOf, firstParagraph } from '../markdown.ts';
import type { SiteData } from '../read.ts';
import type { Page, Part } from '../page.ts';
import { DOCUMENTS, type DocumentPlace } from '../places.ts';
import { table } from '../parts.ts';

/** What `--help` prints of every command. */
function commandHelp({ commands }: SiteData): Part[] {
  return commands.flatMap(({ name, help }) => [`## The help of ${name}`, `\`\`\`text\n${help.trim()}\n\`\`\``]);
}

function orNothing(text: string | undefined): Html | string {
  return text === undefined ? '' : html`<code>${text}</code>`;
}

/** Every setting: in the file, as an option and as a variable. */
function settingsTable(): Part[] {
  const rows = settingsByGroup().flatMap(([, settings]) =>
    settings.map(([name, setting]): Content[] => [
      html`<code>${name}</code>`,
      html`${descriptionOf(setting)}${setting.default !== undefined && html` Default: <code>${String(setting.default)}</code>.`}`,
      orNothing(setting.flag === 'BASE_URL' ? undefined : setting.flag),
      orNothing(setting.variable),
    ]),
  );
  return [
    '## All settings',
    table('All settings', ['Setting', 'Meaning', 'Option', 'Variable'], rows, { unseen: true }),
  ];
}

/** What stands below a document and is made of the code. */
const GENERATED: Readonly<Record<string, (data: SiteData) => Part[]>> = {
  [DOCUMENTS.cli.path]: commandHelp,
  [DOCUMENTS.configuration.path]: settingsTable,
};

function documentPage({ path, title, sources }: DocumentPlace, data: SiteData): Page {
  const articles = sources.map((source) => articleOf(data.documents, source));
  const about = firstParagraph(articles[0] ?? '');
  return { path, title, description: about, parts: [...articles, ...(GENERATED[path]?.(data) ?? [])] };
}

/** README.md, CONTRIBUTING.md and docs/ as pages, but for the start page. */
export function documentPages(data: SiteData): Page[] {
  const places: readonly DocumentPlace[] = Object.values(DOCUMENTS);
  return places.filter(({ path }) => path !== DOCUMENTS.start.path).map((each) => documentPage(each, data));
}
