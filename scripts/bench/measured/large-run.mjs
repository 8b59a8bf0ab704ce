// Judges the list of banners at the address in the environment. Prints how many bodies of how many bytes it judged.
//   node scripts/bench/measured/large-run.mjs
import { judgeTarget } from '../../../conformance/run/run.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import { inputsFor } from '../../../proof/servers/behaviour.ts';

const MOST = 64 * 1024 * 1024;

let bodies = 0;
const { verdict } = await judgeTarget(inputsFor(process.env.CONFORMANCE_BASE_URL, defaultSeed, { bannerIds: [1] }), {
  only: ['listBanners'],
  limits: { maxBody: MOST, timeout: 60_000 },
  onEvent: (event) => {
    if (event.type === 'exchange' && event.exchange.response?.status === 200) bodies += 1;
  },
});
console.log(JSON.stringify({ verdict, bodies }));
