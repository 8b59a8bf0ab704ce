import { describe, expect, it } from 'vitest';
import { finishedNotFoundPage, finishedPage, finishedScript, rootFrom } from '../../site/finish.ts';

const page =
  '<head><meta charset="utf-8"/></head><a href="#x">x</a><a href="/__root__/">home</a><a href="/__root__/a/b.html#c">b</a>' +
  '<script type="module" src="/__root__/_astro/a.js"></script>';

describe('a finished page', () => {
  it('has addresses that are relative to it, from any depth', () => {
    expect(['index.html', 'checks/a.html', 'a/b/c.html'].map(rootFrom)).toEqual(['', '../', '../../']);
    const finished = finishedPage(page, 'checks/a.html');
    expect(finished).toContain('<a href="../index.html">home</a><a href="../a/b.html#c">b</a>');
    expect(finishedPage(page, 'a.html')).toContain('<a href="index.html">home</a><a href="a/b.html#c">b</a>');
    expect(finished).not.toContain('__root__');
  });

  it('may load files of the site, and nothing else', () => {
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(finishedPage(page, 'a.html')) ?? [];
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/https?:|\*/);
    expect(policy).toContain("connect-src 'self'");
  });

  it('asks for modules only where a browser loads them', () => {
    const [, written = ''] = /<script>(.*?)<\/script>/.exec(finishedPage(page, 'a.html')) ?? [];
    expect(written).toBe(
      String.raw`if(location.protocol!=="file:")document.write('<script type="module" src="_astro/a.js"><\/script>')`,
    );
  });

  it('finds the root by the folders of the site, where it is shown for an unknown address', () => {
    const finished = finishedNotFoundPage(page, ['checks', 'docs']);
    expect(finished).toContain('["checks","docs"].includes(part)');
    expect(finished).toContain('<a href="404.html#x">x</a><a href="index.html">home</a>');
  });
});

it('a finished script finds the root from its own address', async () => {
  const script = finishedScript('export function at(f){return"/__root__/"+f}export const root="/__root__"');
  const here = script.replaceAll('import.meta.url', '"http://a.example/some/prefix/_astro/x.js"');
  const made = (await import(`data:text/javascript,${encodeURIComponent(here)}`)) as {
    at: (file: string) => string;
    root: string;
  };
  expect([made.at('b.js'), made.root]).toEqual(['/some/prefix/b.js', '/some/prefix']);
});
