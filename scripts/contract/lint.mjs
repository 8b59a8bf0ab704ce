import { redocly } from './redocly.mjs';

process.exitCode = await redocly(['lint', 'openapi.yaml', 'arazzo.yaml']);
