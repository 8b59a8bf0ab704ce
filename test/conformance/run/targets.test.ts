import { describe, expect, it } from 'vitest';
import { run } from '../../../conformance/index.ts';
import type { ReferenceServerOptions } from '../../../reference-server/server.ts';
import { targetOf, withServer } from '../../support/target.ts';

/** The ids of the failed checks of a complete run. */
async function failed(options: ReferenceServerOptions): Promise<string[]> {
  const { checks } = await withServer(options, (server) => run(targetOf(server)));
  return checks.filter(({ outcome, level }) => outcome === 'failed' && level === 'must').map(({ id }) => id);
}

describe('one defect is not reported as another', () => {
  it('where `{}` clears the e-mail address: the refused updates changed nothing', async () => {
    const ids = await failed({
      replace: (rules) => ({
        applyUpdate: (store, user, update) => rules.applyUpdate(store, { ...user, email: '' }, update),
      }),
    });
    expect(ids).toEqual(expect.arrayContaining(['update-name-keeps-email', 'update-role-keeps-email']));
    expect(ids.filter((id) => /^refused|spares|stored/.test(id))).toEqual([]);
  });

  it('where the response shows another user: no user was changed', async () => {
    const ids = await failed({ replace: (_rules, store) => ({ presentUser: () => store.users.get(2) }) });
    expect(ids).toContain('update-answer-id');
    expect(ids.filter((id) => /keeps-(name|email|role)|spares|^refused/.test(id))).toEqual([]);
  });
});
