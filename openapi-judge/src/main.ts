#!/usr/bin/env node
import { runJudge } from './cli.ts';

await runJudge({ name: 'openapi-judge', usage: 'openapi-judge', format: 'pretty' });
