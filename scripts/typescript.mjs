// Lets Node.js load the TypeScript sources as they are: node --import ./scripts/typescript.mjs FILE.ts [ARGUMENT …]
import { register } from 'node:module';

// Newer releases do it by themselves.
if (!process.features.typescript) register('./typescript-hooks.mjs', import.meta.url);
