import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { remarkRepository } from './src/repository';
import { sidebar } from './src/sidebar';

const base = process.env.SITE_BASE ?? '/';
const repository = process.env.SITE_REPOSITORY?.replace(/\/$/, '') ?? '';

/** Links to the sources, as forges make them; none while nobody knows where the sources are. */
const sources =
  repository === ''
    ? {}
    : {
        editLink: { baseUrl: `${repository}/edit/main/site/` },
        social: [{ icon: 'seti:git' as const, label: 'Source', href: repository }],
      };

/** Pages load only files of the site. */
const policy =
  "default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'";

export default defineConfig({
  base,
  trailingSlash: 'always',
  image: { service: passthroughImageService() },
  markdown: {
    // An option such as --only is no dash.
    smartypants: false,
    remarkPlugins: [remarkRepository(base.replace(/\/?$/, '/'))],
  },
  integrations: [
    starlight({
      title: 'admin-api-conformance',
      sidebar,
      ...sources,
      customCss: ['./src/style.css'],
      head: [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy } }],
      // Long lines wrap, so that no code is cut off on a phone; reports do not, since their columns mean something. Tabs stay, so
      // that what is copied is what was tested; they reach the same
      // columns only if wrapped lines are not indented.
      expressiveCode: {
        defaultProps: { wrap: true, preserveIndent: false, frame: 'none', overridesByLang: { text: { wrap: false } } },
        tabWidth: 0,
      },
    }),
  ],
});
