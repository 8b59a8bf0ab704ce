/** Texts that a hostile target may send: markup, ends of blocks, control characters, halves of characters, marks of direction. */
export const HOSTILE_TEXTS = [
  '<script>alert(1)</script>',
  '</pre></details><img src=http://127.0.0.1:9/x onerror=alert(1)>',
  '"><svg/onload=alert(1)>\'',
  ']]>&amp;<!--',
  'nul\u0000 escape\u001b[31m bell\u0007 c1\u0085 del\u007f',
  'half\ud800 other\udc00 nobody\ufffe\uffff',
  'left\u202eright\u2066isolated\u2069 mark\u200e\u061c soft\u00ad blank\u200b\ufeff',
  'lines\u2028and\u2029more\r\nand\rmore\nmore',
  '``` \n</details>\n# title | cell | @everyone #1 www.example.com',
  '::error title=x::y\n::stop-commands::z\n##[error]w',
  'Ждан 東京 שלום 😀 👩🏽‍🚀',
  'x'.repeat(20_000),
] as const;
