import { runJudge } from '../../openapi-judge/src/index.ts';
import { OUR_EXTENSIONS, OUR_RULES } from './requirements-diff.ts';

await runJudge({
  name: 'gate:diff',
  usage: 'npm run --silent gate:diff --',
  format: 'json',
  extensions: OUR_EXTENSIONS,
  rules: Object.keys(OUR_RULES),
});
