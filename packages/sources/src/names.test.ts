/** Bare sockets are servers that end each connection: what is tested is how they are found. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { countSystemLookups } from '@roster/testkit';
import { openSource } from './open-source.ts';
import { failureOf, openTable, patient } from './testbed.ts';

let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let at = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  at = `localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const order = { updatedAt: 'at', tie: 'id' } as const;
const off = { mode: 'off' } as const;

const sources = {
  postgresql: () => openTable({ kind: 'postgresql', url: `postgresql://a:b@${at}/db` }),
  redshift: () => openTable({ kind: 'redshift', url: `redshift://a:b@${at}/db` }),
  mysql: () => openTable({ kind: 'mysql', url: `mysql://a:b@${at}/db` }),
  mongodb: () => openTable({ kind: 'mongodb', url: `mongodb://a:b@${at}/db` }),
  databricks: () =>
    openSource(
      {
        ...{ kind: 'databricks', table: 'people', endpoint: `http://${at}`, warehouse: 'w', token: 't' },
        ...order,
        tls: off,
      },
      patient,
    ),
} as const;

it.each(Object.entries(sources))(
  'a source of kind %s is found without a look-up of the system',
  async (_, open) => {
    connections = 0;
    const system = countSystemLookups();
    const source = open();
    await failureOf(source.test());
    await source.close();
    expect([connections > 0, system.count()]).toEqual([true, 0]);
    // The control: what is counted.
    await lookup('localhost');
    expect(system.count()).toBe(1);
    system.end();
  },
);
