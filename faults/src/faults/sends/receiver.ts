// A server that takes webhooks and counts how often each recipient was told.
import { createServer, type IncomingMessage } from 'node:http';
import { listening, textOf } from '@roster/testkit';
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
  const take = async (request: IncomingMessage): Promise<void> => {
    const text = await textOf(request);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    last = Date.now();
    await sleep(answerAfterMs);
  };
  // What breaks off is not answered, and does not count.
  const server = createServer(
    (request, response) =>
      void take(request).then(
        () => response.end(),
        () => {},
      ),
  );
  return {
    url: `${await listening(server)}/`,
    counts,
    lastAt: () => last,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
