import { html, Html } from '../../common/html.ts';
import { counted } from '../../common/text.ts';
import { articleOf, firstCodeBlock, firstParagraph, hasSource } from '../markdown.ts';
import type { SiteData } from '../read.ts';
import type { Page, Part } from '../page.ts';
import { DOCUMENTS, to, WAYS } from '../places.ts';
import { operationList, tiles } from '../parts.ts';

/** The ways to judge a server, as tabs. They work without scripts. */
function ways({ documents }: SiteData): Part[] {
  const described = WAYS.filter(([, source]) => hasSource(documents, source));
  const tabs = described.flatMap(([title, source], index): Part[] => [
    html`<input type="radio" name="way" id="way-${index}" ${index === 0 && 'checked'} />
      <label for="way-${index}">${title}</label>`,
    new Html('<div class="panel">'),
    firstCodeBlock(articleOf(documents, source)),
    new Html('</div>'),
  ]);
  return [new Html('<div class="tabs" role="group" aria-label="Ways to judge a server">'), ...tabs, new Html('</div>')];
}

/** What the site has beside the guides. */
function doors({ requirements, openPoints, checks, matrix, implementations }: SiteData): Html {
  const defects = counted(matrix.defects.length, 'defect');
  const variants = counted(matrix.variants.length, 'conforming variant');
  const rows: readonly (readonly [path: string, title: string, text: string])[] = [
    ['docs/ci.html', 'Run it in CI', 'GitHub, GitLab, Jenkins: reports, known failures, keys.'],
    ['docs/write-a-server.html', 'Write a server', 'From the contract to a passing run, in any language.'],
    ['reference.html', 'API reference', 'The operations with their schemas and examples.'],
    ['requirements.html', 'Requirements', `${requirements.length}, each with an id, a level and its source.`],
    ['open-points.html', 'Open points', `${openPoints.length} places where the source is silent; never judged.`],
    ['checks.html', 'Checks', `${checks.length}: what each sends, and how it can fail.`],
    ['proof.html', 'Proof', `${defects} and ${variants} that test the suite.`],
    ['implementations.html', 'Implementations', `${counted(implementations.length, 'result')} that you can reproduce.`],
    ['downloads.html', 'Downloads', 'openapi.yaml and the files generated from it, at stable addresses.'],
  ];
  return tiles(
    'doors',
    rows.map(([path, title, text]) => [html`<a href="${to(path)}">${title}</a>`, text]),
  );
}

/** The start page: what it is, a failing report, how to install it and to judge a server. */
export function startPage(data: SiteData): Page {
  const { tool, operations, documents, contract } = data;
  const readme = documents.get('README.md') ?? '';
  const about = firstParagraph(readme);
  const [tryIt, judge] = DOCUMENTS.start.sources;
  const afterCode = articleOf(documents, judge).replace(/^[\s\S]*```\n/, '');
  return {
    path: DOCUMENTS.start.path,
    title: tool.name,
    description: about,
    parts: [
      html`<p class="lead">${about}</p>
        ${operationList(operations)}`,
      '## A failing report',
      firstCodeBlock(readme),
      '## Try it',
      articleOf(documents, tryIt),
      '## Judge your own server',
      firstCodeBlock(articleOf(documents, judge)),
      ...ways(data),
      afterCode,
      html`<h2 id="site-what">What is here</h2>
        ${doors(data)}
        <p class="note">${tool.name} ${tool.version}, contract ${contract.version}. Apache-2.0.</p>`,
    ],
  };
}
