import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'build/', '.build-*/', 'contract/openapi-types.ts'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-non-null-assertion': 'error',
      // Members of a user that the contract marks as deprecated are part of it all the same.
      '@typescript-eslint/no-deprecated': 'off',
    },
  },
  {
    // Arrows between the parts point one way (CONTRIBUTING, "The house").
    files: ['contract/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['**/conformance/**', '**/reference-server/**', '**/proof/**', '**/contract-*/**'] },
      ],
    },
  },
  {
    files: ['reference-server/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['**/conformance/**', '**/proof/**', '**/contract-*/**'] }],
    },
  },
  {
    files: ['conformance/checks/**/*.ts', 'conformance/report/**/*.ts', 'conformance/*.ts'],
    ignores: ['cli/main.ts', 'conformance/index.ts', 'conformance/commands/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['**/reference-server/**', '**/proof/**', '**/contract-*/**'] }],
    },
  },
  {
    files: ['conformance/index.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['**/proof/**', '**/contract-*/**'] }] },
  },
  {
    files: ['site/assets/*.js'],
    languageOptions: {
      globals: { document: 'readonly', window: 'readonly', location: 'readonly', FormData: 'readonly' },
    },
  },
  {
    files: ['contract-gate/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['**/reference-server/**', '**/proof/**'] }] },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: { console: 'readonly', process: 'readonly', URL: 'readonly', performance: 'readonly' },
    },
  },
);
