#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runJudge } from './cli.ts';

// Node 20 optimizes so early, and at such a cost, that a judgement of a second takes a third longer. Later versions do not.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=3000000');
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const name = 'openapi-judge';
void runJudge({ name, usage: name, format: 'pretty', version: manifest.version });
