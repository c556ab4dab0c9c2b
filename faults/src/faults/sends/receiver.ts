// A server that takes webhooks and counts how often each recipient was told.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openServer, textOf } from '@roster/testkit';
import { sleep } from '../../harness/wait.ts';

const answerAfterMs = 20;

export const openReceiver = async () => {
  /** By recipient. */
  const counts = new Map<string, number>();
  let last = 0;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    last = Date.now();
    await sleep(answerAfterMs);
    response.end();
  };
  // What breaks off is not answered, and does not count.
  const { url, close } = await openServer((request, response) => take(request, response).catch(() => {}));
  return { url: `${url}/`, counts, lastAt: () => last, close };
};

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** The settings of a workspace that may send there. */
export const webhooksHere = { messaging: { webhook_private_hosts: true } };
