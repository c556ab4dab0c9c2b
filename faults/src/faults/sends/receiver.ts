// A server that takes webhooks and counts how often each recipient was told.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '../../harness/wait.ts';

export interface Receiver {
  url: string;
  /** By recipient. */
  counts: Map<string, number>;
  /** When the last one came. */
  lastAt(): number;
  close(): void;
}

const answerAfterMs = 20;

export const openReceiver = async (): Promise<Receiver> => {
  const counts = new Map<string, number>();
  let last = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', async () => {
      counts.set(text, (counts.get(text) ?? 0) + 1);
      last = Date.now();
      await sleep(answerAfterMs);
      response.end();
    });
    request.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    counts,
    lastAt: () => last,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
