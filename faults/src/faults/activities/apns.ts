// A server that takes updates of live activities as APNs does: it says farewell every hundred of them, is busy for a moment now and then, and
// keeps what each device was told.
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { sleep } from '../../harness/wait.ts';

export interface Told {
  /** The number of the update, from its content. */
  n: number;
  event: string;
}

export interface Apns {
  url: string;
  /** By token, in the order in which it came. */
  told: Map<string, Told[]>;
  /** How many came in all. */
  count(): number;
  close(): void;
}

const [farewellEvery, busyEvery, answerAfterMs] = [100, 17, 10];

const textOf = async (stream: ServerHttp2Stream): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

export const openApns = async (): Promise<Apns> => {
  const told = new Map<string, Told[]>();
  const sessions = new Set<ServerHttp2Session>();
  let count = 0;

  const take = async (stream: ServerHttp2Stream, path: string): Promise<void> => {
    const { aps } = JSON.parse(await textOf(stream));
    count += 1;
    if (count % farewellEvery === 0) (stream.session as ServerHttp2Session).goaway(0, stream.id);
    const isBusy = count % busyEvery === 0;
    if (!isBusy) {
      const device = path.slice('/3/device/'.length);
      told.set(device, [...(told.get(device) ?? []), { n: aps['content-state'].n, event: aps.event }]);
    }
    await sleep(answerAfterMs);
    if (stream.destroyed) return;
    stream.respond({ ':status': isBusy ? 503 : 200, ...(!isBusy && { 'apns-id': 'x' }) });
    stream.end(isBusy ? '{"reason":"ServiceUnavailable"}' : '');
  };

  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    void take(stream, String(headers[':path'])).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    count: () => count,
    close() {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
};
