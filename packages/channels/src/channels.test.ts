import { textOf, usePeer } from '@roster/testkit';
import { openChannels } from './channels.ts';

describe('webhooks', () => {
  const connections = new Set<unknown>();
  const got: { method?: string | undefined; own: unknown; body: string }[] = [];
  const peer = usePeer(async (request, response) => {
    connections.add(request.socket);
    got.push({ method: request.method, own: request.headers['x-own'], body: await textOf(request) });
    response.end('x'.repeat(100));
  });

  it('go out over the same connections, as the message says', async () => {
    const channels = openChannels();
    const own = { request_method: 'PUT', request_headers: { 'X-Own': 'yes' }, body: 'x' };
    const message = { id: 'x', to: '', content: { url: `${peer.url}/`, ...own } };
    for (let n = 0; n < 20; n++)
      expect(await channels.send('webhook', { allowPrivate: true }, message)).toEqual({ state: 'sent' });
    await channels.close();
    expect(got).toHaveLength(20);
    expect(got[0]).toEqual({ method: 'PUT', own: 'yes', body: 'x' });
    expect(connections.size).toBe(1);
  });

  it('to a private host use no connection of those who may', async () => {
    const channels = openChannels();
    const content = { url: peer.url.replace('127.0.0.1', 'localhost'), request_method: 'POST' };
    const send = (allowPrivate: boolean) =>
      channels.send('webhook', { allowPrivate }, { id: 'x', to: '', content });
    expect(await send(true)).toEqual({ state: 'sent' });
    expect(await send(false)).toMatchObject({ state: 'later' });
    await channels.close();
  });
});
