import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/checks/catalogue.ts';
import { judgeAll } from '../../../conformance/result/judge-all.ts';
import type { Probe } from '../../../conformance/judging/traffic.ts';
import { makeProbeSender } from '../../../conformance/traffic/probes.ts';
import { evidenceOf } from '../../support/exchanges.ts';
import { updateRequest, answered } from '../../support/exchanges.ts';

const probe = (id: string, build: Probe['build']): Probe => ({ id, operation: 'updateUser', needs: [], build });
const broken = probe('broken', () => {
  throw new URIError('URI malformed');
});

describe('An error of the suite', () => {
  it('in one probe spares the others', async () => {
    const sender = makeProbeSender({
      requests: undefined as never,
      send: (request) => Promise.resolve(answered(request, 200)),
      running: () => true,
    });
    const sound = probe('sound', () => updateRequest());
    await Promise.all([broken, sound].map(sender.sendProbe));
    expect([...sender.errors].map(([id, error]) => [id, error.message])).toEqual([['broken', 'URI malformed']]);
    expect(sender.collected.get('sound')).toHaveLength(1);
  });

  it('of the file system is thrown on', async () => {
    const full = Object.assign(new Error('no space left on device'), { syscall: 'write' });
    const send = () => Promise.reject(full);
    const sender = makeProbeSender({ requests: undefined as never, send, running: () => true });
    await expect(sender.sendProbe(probe('sound', () => updateRequest()))).rejects.toBe(full);
  });

  it('is reported with the checks that use what failed, and with no other', () => {
    const [first, ...others] = checks.filter(({ needs }) => needs.length === 0 || needs.includes('adminKey'));
    const [used] = first?.uses ?? [];
    const evidence = { ...evidenceOf({}, []), errors: new Map([[used?.id ?? '', new URIError('URI malformed')]]) };
    const erroneous = judgeAll(checks, evidence, undefined).filter(({ said }) => said.outcome === 'error');
    expect(erroneous.map(({ check }) => check.id)).toEqual(
      checks.filter(({ uses }) => uses.some(({ id }) => id === used?.id)).map(({ id }) => id),
    );
    expect(erroneous.length).toBeLessThan(others.length);
    expect(erroneous[0]?.said).toEqual({ outcome: 'error', detail: 'URI malformed' });
  });

  it('is not what a check says that was not judged in time', () => {
    const judged = judgeAll(checks, evidenceOf({}, []), undefined, () => false);
    const reasons = judged.map(({ said }) => (said.outcome === 'inconclusive' ? said.reason : said.outcome));
    expect(new Set(reasons)).toEqual(new Set(['deadline', 'missing-input']));
  });
});
