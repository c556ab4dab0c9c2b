import { useStore } from '@roster/testkit';
import { openStore } from '../connection/open-store.ts';

const store = useStore({ open: openStore, forEach: true });

const row = (what: string) => ({ at: 1, by: 'cli:me', what, target: 't', set: { b: 1, a: [null, 'x'] } });
const append = (what: string) => store.transact((session) => store.audit.append(session, row(what)));
const collection = () => store.db.collection('audit');

describe('the audit log', () => {
  it('is one chain, also with many appends at once', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, index) => append(`w${index}`)));
    const rows = await store.audit.list();
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    expect(new Set(rows.map(({ before }) => before)).size).toBe(25);
    expect(await store.audit.verify()).toEqual({ rows: 25, head: rows.at(-1)?.hash });
  });

  it('has no row for a change that did not happen', async () => {
    const failing = store.transact(async (session) => {
      await store.audit.append(session, row('never'));
      throw new Error('my own');
    });
    await expect(failing).rejects.toThrow('my own');
    expect(await store.audit.list()).toEqual([]);
  });

  const setting = (change: object) => () => collection().updateOne({ what: 'w2' }, { $set: change });
  const changed = 'it was changed after it was written';
  it.each([
    ['changed', changed, setting({ by: 'cli:nobody' })],
    ['removed', 'row 3 is missing', () => collection().deleteOne({ what: 'w2' })],
    ['added to', changed, setting({ 'set.c': 1 })],
  ])('tells that a row was %s', async (_how, reason, tamper) => {
    for (let index = 0; index < 5; index++) await append(`w${index}`);
    expect((await store.audit.verify()).broken).toBeUndefined();
    await tamper();
    expect((await store.audit.verify()).broken?.reason).toBe(reason);
  });

  it('tells that a row was rewritten with a right hash of its own', async () => {
    for (let index = 0; index < 3; index++) await append(`w${index}`);
    const rows = await store.audit.list();
    await collection().updateOne({ what: 'w1' }, { $set: { before: rows[2]?.hash } });
    expect((await store.audit.verify()).broken).toEqual({
      number: 2,
      reason: 'it does not follow the row before it',
    });
  });
});
