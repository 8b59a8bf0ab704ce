import { expect, it } from 'vitest';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Probe } from '../../../conformance/model/recording/items.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { TrafficContext } from '../../../conformance/traffic/operation.ts';
import { runWriteTraffic } from '../../../conformance/traffic/write-traffic.ts';
import { answered, updateRequest } from '../../support/exchanges.ts';

it('what is refused among others for the state of the target is sent again by itself', async () => {
  const [update] = operations;
  if (!update) throw new Error('There is no operation.');
  const probes = ['control', 'refuse', 'fatal'].map(
    (phase) => ({ id: phase, operation: update.id, needs: [], phase, build: () => updateRequest() }) as Probe,
  );
  const sent: string[] = [];
  const context = {
    ...{ probes, kept: [], requests: {}, log: { notBuildable: new Set(), errors: new Map() } },
    ...{ running: () => true, enter: () => undefined, onStage: () => undefined },
    send: (request: RequestSpec): Promise<Exchange> => {
      const isLocked = request.item !== 'control' && request.again === undefined;
      sent.push(`${request.item ?? ''} ${isLocked ? 409 : 400}`);
      return Promise.resolve(answered(request, isLocked ? 409 : 400, {}));
    },
  } as unknown as TrafficContext;
  const { sendFatal } = await runWriteTraffic(context, { ...update, effect: { resource: 'banner' } });
  await sendFatal?.();
  expect(sent).toEqual(['control 400', 'control 400', 'refuse 409', 'refuse 400', 'fatal 409', 'fatal 400']);
});
