import { describe, expect, it } from 'vitest';
import { silenceRedoc, withLinks } from '../../site/reference.ts';

describe('the document of the API reference', () => {
  it('ends each description with links to what stands at its object, and has no extensions of ours', () => {
    const document = {
      info: { title: 'T', description: 'About.' },
      'x-requirements': [{ id: 'bodies.json' }],
      paths: {
        '/a': { put: { description: 'Changes.', 'x-open-points': [{ id: 'open.a' }, { id: 'open.b' }] } },
      },
      list: [{ type: 'array', 'x-requirements': [{ id: 'user.id' }], items: { 'x-sample-type': 1 } }],
    };
    const before = structuredClone(document);
    expect(withLinks(document)).toEqual({
      info: {
        title: 'T',
        description: 'About.\n\nRequirements: [bodies.json](requirements.html#bodies.json)',
      },
      paths: {
        '/a': {
          put: {
            description:
              'Changes.\n\nOpen points: [open.a](open-points.html#open.a), [open.b](open-points.html#open.b)',
          },
        },
      },
      list: [
        {
          type: 'array',
          description: 'Requirements: [user.id](requirements.html#user.id)',
          items: { 'x-sample-type': 1 },
        },
      ],
    });
    expect(document).toEqual(before);
  });
});

describe("Redoc's page", () => {
  const logo = 'https://cdn.redoc.ly/redoc/logo-mini';
  const page = `<html><head><title>T</title></head><body><a href="/users">u</a><script>let a="${logo}-full.svg",b="${logo}.svg",c={"aria-label":\`Example\`,d:1}</script></body></html>`;

  it('asks no other host, and leads back to the site', () => {
    const silent = silenceRedoc(page, 'Product', 'A "description".', '');
    expect(silent).not.toContain('cdn.redoc.ly');
    expect(silent).toContain("default-src 'none'");
    expect(silent).toContain("connect-src 'none'");
    expect(silent).toContain('content="A &quot;description&quot;."');
    expect(silent).toContain('<a href="index.html">Product</a>');
    expect(silent).toContain('<a href="#/users">');
  });

  it.each([
    [logo, 'elsewhere', `has no ${logo}`],
    ['Example', 'Sample', 'has no "aria-label"'],
    ['<head>', '<head lang="en">', 'has no <head>'],
    ['<body>', '<body class="x">', 'has no <body>'],
  ])('is refused if it has no %s', (part, other, message) => {
    expect(() => silenceRedoc(page.replaceAll(part, other), 'P', 'D', '')).toThrow(message);
  });
});
