import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

const { title, root, navigation } = JSON.parse(readFileSync(process.env.SITE_DATA, 'utf8'));

export default defineConfig({
  base: root,
  build: { format: 'file' },
  // An option such as --only is no dash.
  markdown: { smartypants: false },
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title,
      favicon: '/favicon.svg',
      // Long lines wrap, so that no code is cut off on a phone.
      expressiveCode: {
        defaultProps: { wrap: true, frame: 'none', overridesByLang: { text: { preserveIndent: false } } },
      },
      customCss: ['./src/style.css'],
      head: [
        { tag: 'script', attrs: { src: `${root}/site.js`, defer: true } },
        { tag: 'noscript', content: `<link rel="stylesheet" href="${root}/no-script.css">` },
      ],
      sidebar: navigation.map(([label, links]) => ({
        label,
        items: links.map(([label, path]) =>
          path === 'index.html' ? { label, slug: 'index' } : { label, link: `/${path}` },
        ),
      })),
    }),
  ],
});
