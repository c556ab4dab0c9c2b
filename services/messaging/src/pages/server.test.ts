/** The bounds of the page server against strangers. By bare sockets: requests are left unfinished, and connections are counted. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createSignal, until } from '@roster/testkit';
import type { PageRequest } from './pages.ts';
import { ownPage } from './reply.ts';
import type { PageServer, PageServerOptions } from './server.ts';
import { aPage, startTestServer } from './testbed.ts';

let server: PageServer;
const sockets: Socket[] = [];

const start = async (options?: Partial<PageServerOptions>): Promise<void> => {
  server = await startTestServer(options);
};

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

const connected = async (from: string, text = ''): Promise<Socket> => {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
};

const many = (count: number, from: string, text?: string): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => connected(from, text)));

/** All that comes until the server closes the connection. */
const textOf = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', (data: Buffer) => {
    text += data;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
};

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

const ask = async (from: string, text: string): Promise<number> =>
  statusOf(await textOf(await connected(from, text)));

const silentPost = 'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n';
const getPage = 'GET /preferences/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const oneClick =
  'POST /unsubscribe/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 26\r\n\r\nList-Unsubscribe=One-Click';

const pageAndOneClick = async (from: string): Promise<number[]> => [
  await ask(from, getPage),
  await ask(from, oneClick),
];

it('64 forms that never come are given up in time, and pages and unsubscriptions answer afterwards', async () => {
  await start({ bounds: { bodyWithinMs: 50 } });
  const silent = await many(64, '127.0.0.1', silentPost);
  await Promise.all(silent.map(textOf));
  expect(await pageAndOneClick('127.0.0.1')).toEqual([200, 200]);
});

describe('one network', () => {
  it('that sends half a form on each of 64 connections keeps nobody from a page, and may not send more', async () => {
    await start();
    const silent = await many(64, '127.0.0.1', silentPost);
    const replies = silent.slice(0, 32).map(textOf);
    expect(await pageAndOneClick('127.0.0.2')).toEqual([200, 200]);
    expect(await ask('127.0.0.1', getPage)).toBe(200);
    expect(statusOf(await Promise.race(silent.map(textOf)))).toBe(429);
    for (const socket of silent) socket.destroy();
    await Promise.all(replies);
  });

  it('with 2,000 silent connections has 128 of them, and other networks have theirs', async () => {
    await start();
    for (let round = 0; round < 20; round++)
      for (const socket of await many(100, '127.0.0.1')) socket.resume();
    await until(() => sockets.filter(({ destroyed }) => !destroyed).length === 128);
    expect(await pageAndOneClick('127.0.0.2')).toEqual([200, 200]);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await ask('127.0.0.1', getPage)) === 200);
  });

  it.each([
    ['say nothing', ''],
    ['send half of their headers', 'GET /x HTTP/1.1\r\n'],
    ['keep a connection after a page', getPage.replace('connection: close\r\n', '')],
  ])('is not kept out by the connections of 17 others that %s', async (_, text) => {
    await start({ bounds: { connections: { most: 136, ofOne: 8 } } });
    for (let other = 10; other < 27; other++) await many(8, `127.0.0.${other}`, text);
    await until(() => sockets.filter(({ destroyed }) => !destroyed).length === 136);
    for (let visit = 0; visit < 20; visit++) expect(await ask('127.0.0.2', getPage)).toBe(200);
    expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(100);
  });

  it('keeps its connections where others have more that wait', async () => {
    await start({ bounds: { connections: { most: 6, ofOne: 4 } } });
    const [visitor] = await many(1, '127.0.0.2');
    await many(4, '127.0.0.3');
    await many(2, '127.0.0.4');
    await until(() => sockets.filter(({ destroyed }) => !destroyed).length === 6);
    visitor?.write(getPage);
    expect(statusOf(await textOf(visitor as Socket))).toBe(200);
  });

  it('is not kept out by the forms of 17 others that never come', async () => {
    await start({ bounds: { receiving: { most: 34, ofOne: 2 } } });
    for (let other = 10; other < 27; other++) await many(2, `127.0.0.${other}`, silentPost);
    for (let visit = 0; visit < 20; visit++) expect(await ask('127.0.0.2', oneClick)).toBe(200);
  });

  it('makes no more pages at once than its share', async () => {
    const go = createSignal();
    let waiting = 0;
    const other = async ({ path }: PageRequest) => {
      if (path === '/preferences/slow') {
        waiting += 1;
        await go.given;
      }
      return aPage();
    };
    await start({ other, bounds: { working: { most: 4, ofOne: 2 } } });
    const slowPage = getPage.replace('preferences/x', 'preferences/slow');
    const held = await many(2, '127.0.0.1', slowPage);
    await until(() => waiting === 2);
    expect(await ask('127.0.0.1', getPage)).toBe(503);
    expect(await ask('127.0.0.2', getPage)).toBe(200);
    go.give();
    expect((await Promise.all(held.map(textOf))).map(statusOf)).toEqual([200, 200]);
    expect(await ask('127.0.0.1', getPage)).toBe(200);
  });

  it('is that of the visitor where a trusted proxy tells it', async () => {
    await start({ bounds: { connections: { most: 100, ofOne: 1 }, receiving: { most: 100, ofOne: 1 } } });
    const from = (ip: string, text: string) => text.replace('host: x', `host: x\r\nx-forwarded-for: ${ip}`);
    await connected('127.0.0.9', from('10.0.0.1', silentPost));
    await until(async () => (await ask('127.0.0.9', from('10.0.0.1', oneClick))) === 429);
    expect(await ask('127.0.0.9', from('10.0.0.2', oneClick))).toBe(200);
  });
});

describe('time', () => {
  it('from the first byte to the last of the headers, from there to the last of the form, and to that of the reply', async () => {
    await start({ bounds: { headersWithinMs: 50 } });
    const silent = [await connected('127.0.0.1'), await connected('127.0.0.1', 'GET /x HTTP/1.1\r\n')];
    expect((await Promise.all(silent.map(textOf))).map(statusOf)).toEqual([408, 408]);
    await server.close();

    await start({ bounds: { bodyWithinMs: 50 } });
    expect(await ask('127.0.0.1', `${silentPost}only`)).toBe(408);
    await server.close();

    const large = 'x'.repeat(32 * 1024 * 1024);
    const other = async ({ path }: PageRequest) =>
      path === '/preferences/large' ? ownPage(200, large) : aPage();
    const bounds = { exchangeWithinMs: 50, connections: { most: 100, ofOne: 1 } };
    await start({ other, bounds });
    const deaf = await connected('127.0.0.1', getPage.replace('preferences/x', 'preferences/large'));
    deaf.pause();
    await until(async () => (await ask('127.0.0.1', getPage)) === 200);
  });

  it('of a form that breaks off is over at once', async () => {
    await start({ bounds: { receiving: { most: 1, ofOne: 1 } } });
    const broken = await connected('127.0.0.1', silentPost);
    await until(async () => (await ask('127.0.0.1', oneClick)) === 429);
    broken.destroy();
    await until(async () => (await ask('127.0.0.1', oneClick)) === 200);
  });
});

describe('readiness', () => {
  const getReady = 'GET /health/ready HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

  it('says that pages do not answer when all places are taken and none comes free', async () => {
    let time = 0;
    const go = createSignal();
    let asked = 0;
    const other = async () => {
      asked += 1;
      await go.given;
      return aPage();
    };
    const bounds = { working: { most: 2, ofOne: 2 }, pageWithinMs: 50, stuckAfterMs: 15_000 };
    await start({ other, bounds, now: () => time });
    const late = await many(2, '127.0.0.1', getPage);
    expect((await Promise.all(late.map(textOf))).map(statusOf)).toEqual([503, 503]);
    expect(asked).toBe(2);
    expect(await server.ready()).toBe(true);
    time += 15_001;
    const verdict =
      'the pages do not answer: all places for pages are taken, and none has ended for 15.001 s';
    expect(await server.ready()).toBe(verdict);
    expect(await textOf(await connected('127.0.0.1', getReady))).toContain(verdict);
    go.give();
    await until(async () => (await server.ready()) === true);
  });

  it('says so too when all connections are taken', async () => {
    let time = 0;
    await start({ bounds: { connections: { most: 2, ofOne: 2 } }, now: () => time });
    const [first] = await many(2, '127.0.0.1');
    await until(() => {
      time += 15_001;
      return server.ready().then((verdict) => verdict !== true);
    });
    expect(await server.ready()).toContain('all connections are taken');
    first?.destroy();
    await until(async () => (await server.ready()) === true);
  });

  it('is that of what the pages need, otherwise', async () => {
    await start({ ready: async () => 'MongoDB is away' });
    expect(await server.ready()).toBe('MongoDB is away');
    expect(await ask('127.0.0.1', getReady)).toBe(503);
  });
});
