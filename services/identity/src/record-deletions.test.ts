import type { AcceptedRequest } from '@roster/contract';
import { useStore } from '@roster/testkit';
import { recordDeletions } from './record-deletions.ts';

const deletion = (id: string): AcceptedRequest => ({
  id,
  ws: 'shop',
  op: 'users.delete',
  at: 5,
  by: 'k1',
  body: {
    external_ids: [{ external_id: 'ada' }, 'EXTERNAL_ID_INVALID', { external_id: 'bob' }],
    errors: [{ code: 'EXTERNAL_ID_INVALID' }],
  },
});

describe('deletions in the audit log', () => {
  const store = useStore();

  it('stand there once, with the key that asked for them and no name of a person', async () => {
    const other: AcceptedRequest = { ...deletion('r3'), op: 'users.merge' };
    await recordDeletions(store, [deletion('r1'), other]);
    await recordDeletions(store, [deletion('r1'), deletion('r2')]);
    const rows = await store.audit.list();
    expect(rows.map(({ what, by, target, request, set }) => ({ what, by, target, request, set }))).toEqual(
      ['r1', 'r2'].map((request) => ({
        what: 'people.deleted',
        by: 'key:k1',
        target: 'shop',
        request,
        set: { asked: 2 },
      })),
    );
    expect(JSON.stringify(rows)).not.toMatch(/ada|bob/);
    expect((await store.audit.verify()).broken).toBeUndefined();
  });
});
