import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClosing } from './close-server.ts';

const hurryMs = 200;
const cutMs = 1_000;

const open = async () => {
  const server: Server = createServer((_, response) => setTimeout(() => response.end('done'), 100));
  const close = createClosing(server, { hurryMs, cutMs });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dial = async (text: string): Promise<{ socket: Socket; heard(): string }> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    let heard = '';
    socket.on('data', (data) => {
      heard += String(data);
    });
    await new Promise((resolve) => socket.once('connect', resolve));
    if (text !== '') socket.write(text);
    await sleep(50);
    return { socket, heard: () => heard };
  };
  return { close, dial };
};

const timed = async (work: Promise<void>): Promise<number> => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};

describe('a server that is closed', () => {
  it('finishes the request at work, and does not wait for a caller who sent nothing', async () => {
    const { close, dial } = await open();
    await dial('');
    const { heard } = await dial('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let hurried = false;
    expect(
      await timed(
        close(() => {
          hurried = true;
        }),
      ),
    ).toBeLessThan(cutMs);
    await sleep(50);
    expect(heard()).toMatch(/done$/);
    expect(hurried).toBe(false);
  });

  it('hurries those who wait, and cuts off a caller whose request does not end', async () => {
    const { close, dial } = await open();
    await dial('POST / HTTP/1.1\r\nHost: a\r\n');
    let hurried = 0;
    const ms = await timed(
      close(() => {
        hurried += 1;
      }),
    );
    expect(hurried).toBe(1);
    expect(ms).toBeGreaterThan(0.9 * cutMs);
    expect(ms).toBeLessThan(10 * cutMs);
  });
});
