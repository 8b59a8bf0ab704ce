#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runJudge } from './cli.ts';

// Node 20 optimizes so early, and at such a cost, that a judgement of a second takes a third longer. Later versions do not.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');
await runJudge({ name: 'openapi-judge', usage: 'openapi-judge', format: 'pretty' });
