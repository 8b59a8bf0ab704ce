import { docsSchema } from '@astrojs/starlight/schema';
import { file, glob } from 'astro/loaders';
import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';
import { parse } from 'yaml';
import { repositoryLoader } from './repository';

const level = z.enum(['must', 'should']);

/** What the result of a run says that the site shows. */
const result = z.object({
  tool: z.object({ version: z.string() }),
  contract: z.object({ version: z.string() }),
  startedAt: z.string(),
  verdict: z.string(),
  findings: z.array(
    z.object({
      requirement: z.string(),
      level,
      title: z.string(),
      expected: z.unknown(),
      actual: z.unknown(),
      fix: z.string().optional(),
    }),
  ),
  requirements: z.array(z.object({ id: z.string(), level, outcome: z.string() })),
});

/** The entries of `contract/changes.yaml`, which has them by version and requirement. */
function changesOf(text: string) {
  const versions = Object.entries(parse(text) as Record<string, Record<string, string>>);
  return versions.flatMap(([version, changes]) =>
    Object.entries(changes).map(([requirement, change]) => ({
      id: `${version} ${requirement}`,
      version,
      requirement,
      change,
    })),
  );
}

export const collections = {
  docs: defineCollection({ loader: repositoryLoader(), schema: docsSchema() }),
  requirements: defineCollection({
    loader: file('.data/requirements.json'),
    schema: z.object({ id: z.string(), level, text: z.string(), source: z.string() }),
  }),
  openPoints: defineCollection({
    loader: file('.data/open-points.json'),
    schema: z.object({
      id: z.string(),
      text: z.string(),
      source: z.string(),
      ruling: z.string(),
      observations: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  }),
  checks: defineCollection({
    loader: file('.data/checks.json'),
    schema: z.object({
      id: z.string(),
      title: z.string(),
      level,
      area: z.string(),
      requirement: z.string(),
      needs: z.array(z.string()).default([]),
    }),
  }),
  changes: defineCollection({
    loader: file('../contract/changes.yaml', { parser: changesOf }),
    schema: z.object({ requirement: z.string(), version: z.string(), change: z.string() }),
  }),
  implementations: defineCollection({
    loader: glob({ base: 'implementations', pattern: '*.yaml' }),
    schema: z.object({ title: z.string(), language: z.string(), version: z.string(), summary: z.string() }),
  }),
  results: defineCollection({ loader: glob({ base: 'implementations', pattern: '*.json' }), schema: result }),
};
