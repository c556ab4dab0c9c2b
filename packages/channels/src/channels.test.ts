import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openChannels } from './channels.ts';

describe('webhooks', () => {
  let server: Server;
  let url: string;
  let connections = 0;
  const got: { method?: string | undefined; own: unknown; body: string }[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      got.push({
        method: request.method,
        own: request.headers['x-own'],
        body: Buffer.concat(parts).toString(),
      });
      response.end('x'.repeat(100));
    });
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('go out over the same connections, as the message says', async () => {
    const channels = openChannels();
    const content = { url, request_method: 'PUT', request_headers: { 'X-Own': 'yes' }, body: 'x' };
    for (let n = 0; n < 20; n++)
      expect(await channels.send('webhook', { allowPrivate: true }, { id: `${n}`, to: '', content })).toEqual(
        {
          state: 'sent',
        },
      );
    await channels.close();
    expect(got).toHaveLength(20);
    expect(got[0]).toEqual({ method: 'PUT', own: 'yes', body: 'x' });
    expect(connections).toBe(1);
  });

  it('to a private host use no connection of those who may', async () => {
    const channels = openChannels();
    const content = { url: url.replace('127.0.0.1', 'localhost'), request_method: 'POST' };
    const send = (allowPrivate: boolean) =>
      channels.send('webhook', { allowPrivate }, { id: 'x', to: '', content });
    expect(await send(true)).toEqual({ state: 'sent' });
    expect(await send(false)).toMatchObject({ state: 'later' });
    await channels.close();
  });
});
