/** Rows of all pages, in each of the ways in which operations ask for the next one. */
import { operations } from '@roster/contract';
import { table } from './table.ts';
import { useTestbed } from './testbed.ts';

const testbed = useTestbed({ scim: { token: 't', origin: 'https://idp.example' }, retryFor: 0 });

/** Three pages of two rows, of one, and of none at all. */
const rows = ['a', 'b', 'c', 'd', 'e'];

const asked = () => testbed.arrived.map(({ query }) => query as Record<string, unknown>);

const inPages = (page: (from: number) => { body: object; headers?: Record<string, string> }, name: string) =>
  testbed.answer(({ query }) => {
    const at = Number((query as Record<string, unknown>)[name] ?? 0);
    return { status: 200, ...page(at) };
  });

const all = async (pages: AsyncIterable<unknown>): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const row of pages) found.push(row);
  return found;
};

it('by a cursor in the answer', async () => {
  inPages((at) => {
    const next_cursor = at + 2 < rows.length ? { next_cursor: String(at + 2) } : {};
    return { body: { message: 'success', changes: rows.slice(at, at + 2), ...next_cursor } };
  }, 'cursor');
  expect(await all(testbed.roster.subscription.history({ external_id: 'ada', limit: 2 }))).toEqual(rows);
  expect(asked().map(({ external_id, limit }) => [external_id, limit])).toEqual(Array(3).fill(['ada', 2]));
});

it('by a cursor in the header Link', async () => {
  inPages((at) => {
    const link = at + 2 < rows.length ? { Link: `</cdi/integrations?cursor=${at + 2}>; rel="next"` } : {};
    return { body: { message: 'success', results: rows.slice(at, at + 2) }, headers: link };
  }, 'cursor');
  expect(await all(testbed.roster.cdi.integration_list())).toEqual(rows);
  expect(asked()).toHaveLength(3);
});

it('by an offset, until a page is not full', async () => {
  inPages((at) => ({ body: { message: 'success', content_blocks: rows.slice(at, at + 2) } }), 'offset');
  expect(await all(testbed.roster.content_blocks.list({ limit: '2' }))).toEqual(rows);
  expect(asked().map(({ offset }) => offset)).toEqual([undefined, '2', '4']);
});

it('by a position from 1, until all are there', async () => {
  inPages((at) => {
    const from = Math.max(0, at - 1);
    return { body: { schemas: ['x'], totalResults: 5, Resources: rows.slice(from, from + 2) } };
  }, 'startIndex');
  expect(await all(testbed.roster.scim.users.list({ count: '2' }))).toEqual(rows);
  expect(asked().map(({ startIndex }) => startIndex)).toEqual([undefined, '3', '5']);
});

it('no further than they are looked at; awaited, the call is its first page', async () => {
  inPages((at) => ({ body: { content_blocks: rows.slice(at, at + 2) } }), 'offset');
  for await (const row of testbed.roster.content_blocks.list({ limit: '2' })) if (String(row) === 'c') break;
  expect(asked()).toHaveLength(2);
  expect(await testbed.roster.content_blocks.list({ limit: '2' })).toEqual({ content_blocks: ['a', 'b'] });
});

it('fails as the call does', async () => {
  testbed.answer(() => ({ status: 404, body: { message: 'no', code: 'REFUSED' } }));
  await expect(all(testbed.roster.content_blocks.list())).rejects.toMatchObject({ name: 'NotFoundError' });
});

it.each(table.filter(({ paging }) => paging).map(({ id, paging }) => [id, paging] as const))(
  '%s has one list of rows, and no body',
  (id, paging) => {
    const row = operations.find((one) => one.id === id);
    const members: Record<string, { type?: unknown }> = row?.responses[row.success]?.properties ?? {};
    const lists = Object.keys(members).filter(
      (name) => members[name]?.type === 'array' && name !== 'schemas',
    );
    expect([lists, row?.request.body]).toEqual([[paging?.list], undefined]);
  },
);
