/** Files of a folder and objects of a bucket become profiles: a first sync, a changed row, a late row of an equal moment, a bad row. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@roster/access';
import { type TestBucket, testBucket } from '@roster/testkit';
import { useWhole, useWorkspace } from '../shared.ts';
import { createSyncing, inShort } from '../syncing.ts';
import { openWorkspace, settingsOf } from '../system.ts';

const whole = useWhole();
const ws = 'files';
let bucket: TestBucket;
let connections: Connection[];

const folder = (): string => join(whole.filesDir, 'e2e-shop');

beforeAll(async () => {
  bucket = await testBucket('exports');
  await mkdir(folder());
  await writeFile(join(whole.credentials, 'e2e-key'), bucket.accessKey);
  await writeFile(join(whole.credentials, 'e2e-secret'), bucket.secretKey);
  connections = [
    { id: 'folder', kind: 'files', folder: 'e2e-shop', format: 'csv' },
    {
      id: 'bucket',
      kind: 's3',
      endpoint: bucket.endpoint,
      bucket: 'exports',
      prefix: 'shop/',
      format: 'ndjson',
      access_key: { file: 'e2e-key' },
      secret_key: { file: 'e2e-secret' },
    },
  ];
});
const system = useWorkspace(ws, (usual) => ({ ...usual, integrations: { connections } }));
afterAll(() => bucket.close());

type Customer = readonly [external_id: string, plan: string, updated_at: string];

const writers: Record<string, (name: string, customers: readonly Customer[]) => Promise<void>> = {
  folder: (name, customers) =>
    writeFile(
      join(folder(), `${name}.csv`),
      ['external_id,plan,updated_at', ...customers.map((cells) => cells.join(','))].join('\n'),
    ),
  bucket: (name, customers) =>
    bucket.put(
      `shop/${name}.ndjson`,
      customers
        .map(([external_id, plan, updated_at]) => JSON.stringify({ external_id, plan, updated_at }))
        .join('\n'),
    ),
};

const at = (time: string): string => `2026-01-31T${time}Z`;

it.each(['folder', 'bucket'])('rows of a %s: each version once', async (connection) => {
  const { create, sync, attributes, reasonsOf, get } = createSyncing(system);
  const write = (name: string, ...customers: readonly Customer[]) =>
    writers[connection]?.(
      name,
      customers.map(([id, ...cells]) => [id && `${connection}-${id}`, ...cells]),
    );
  await write(
    '1',
    ['a', 'free', at('10:00:00')],
    ['b', 'free', at('10:00:00')],
    ['', 'free', at('10:00:01')],
  );
  const id = await create({ connection, data: 'attributes' });
  const first = await sync(id);
  expect(inShort(first)).toBe('partial 2+1');
  expect(await reasonsOf(id, first)).toEqual(['the column external_id is empty']);
  expect(await get(`/cdi/integrations/${id}`)).toMatchObject({
    warehouse_type: connection === 'folder' ? 'files' : 's3',
  });
  expect(inShort(await sync(id))).toBe('success 0+0');
  await write('2', ['a', 'gold', at('10:10:00')], ['c', 'free', at('10:00:00')]);
  expect(inShort(await sync(id))).toBe('success 2+0');
  expect(await attributes(`${connection}-a`)).toEqual({ plan: 'gold' });
  expect(await attributes(`${connection}-c`)).toEqual({ plan: 'free' });
});

it('a connection that was just added is there for the next sync', async () => {
  const { create, sync } = createSyncing(system);
  await writers.folder?.('just-added', [['just-added', 'gold', at('10:00:00')]]);
  const id = await create({ connection: 'folder', data: 'attributes' });
  const withConnections = (now: Connection[]) =>
    openWorkspace(whole, { ...settingsOf(ws), integrations: { connections: now } });
  await withConnections([]);
  expect(await sync(id)).toMatchObject({ job_status: 'config_error' });
  await withConnections(connections);
  // The row without an identifier is still in the folder.
  expect(await sync(id)).toMatchObject({ job_status: 'partial' });
});
