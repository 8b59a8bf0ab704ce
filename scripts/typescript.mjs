// Lets Node.js load the TypeScript sources as they are: node --import ./scripts/typescript.mjs FILE [ARGUMENT …]
import * as module from 'node:module';
import { load } from './typescript-hooks.mjs';

// Newer releases deprecate `register`, and take types away by themselves, with a warning.
if (module.registerHooks) module.registerHooks({ load });
else module.register('./typescript-hooks.mjs', import.meta.url);
