import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Node 20 may collect the signals within these as garbage; then they never abort. */
const SIGNALS = ['any', 'timeout'].map((property) => ({
  object: 'AbortSignal',
  property,
  message: 'Node 20 may lose it: use an AbortController of your own (conformance/http/target.ts).',
}));

export default tseslint.config(
  {
    ignores: [
      ...['**/dist/', 'build/', '.build-*/', 'contract/openapi-types.ts', 'contract/schema-validators.ts'],
      // They have packages of their own; "npm run check" in site/ judges the types there.
      ...['site/.astro/', 'site/.data/', 'site/src/', 'site/astro.config.ts', 'examples/servers/nestjs/'],
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-non-null-assertion': 'error',
      // The contract marks some members of a user as deprecated; they are still part of it.
      '@typescript-eslint/no-deprecated': 'off',
      'no-restricted-properties': ['error', ...SIGNALS],
    },
  },
  {
    // What a reader holds in mind at once. An exception has its reason beside it.
    files: ['**/*.ts', '**/*.mjs', '**/*.js'],
    rules: {
      complexity: ['error', 12],
      'max-params': ['error', 4],
      'no-nested-ternary': 'error',
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true, IIFEs: true }],
    },
  },
  {
    // A describe block has the length of its tests, and the parameters of it.each are the columns of a table.
    files: ['test/**', 'openapi-judge/test/**'],
    rules: { 'max-params': 'off', 'max-lines-per-function': 'off' },
  },
  {
    // Whatever a command prints goes through one door, which withholds keys (common/process/output.ts).
    files: ['cli/**/*.ts', 'conformance/**/*.ts'],
    ignores: ['cli/main.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...SIGNALS,
        { object: 'process', property: 'stdout', message: 'Write to the `out` of the command.' },
        { object: 'process', property: 'stderr', message: 'Write to the `err` of the command.' },
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
);
