// A server that takes pushes as APNs does: it says farewell every hundred of them, may be busy for a moment now and then, and keeps what each
// device was told.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { listening, textOf } from '@roster/testkit';
import { sleep } from './wait.ts';

export interface Told {
  /** Of the update of a live activity: its number, from its content. */
  n?: number;
}

export interface Apns {
  url: string;
  /** By token, in the order in which it came. */
  told: Map<string, Told[]>;
  /** How many came in all. */
  count(): number;
  close(): void;
}

const [farewellEvery, answerAfterMs] = [100, 10];

/** Busy for each so many. */
export const openApns = async (busyEvery = Number.POSITIVE_INFINITY): Promise<Apns> => {
  const told = new Map<string, Told[]>();
  /** The highest stream that was looked at; after a farewell nothing behind it is. */
  const sessions = new Map<ServerHttp2Session, { highest: number; isOver: boolean }>();
  let count = 0;

  const take = async (stream: ServerHttp2Stream, path: string): Promise<void> => {
    const { aps } = JSON.parse(await textOf(stream));
    const session = stream.session as ServerHttp2Session;
    const seen = sessions.get(session);
    const { id = 0 } = stream;
    if (!seen || (seen.isOver && id > seen.highest)) return;
    seen.highest = Math.max(seen.highest, id);
    count += 1;
    if (count % farewellEvery === 0 && !seen.isOver) {
      seen.isOver = true;
      session.goaway(0, seen.highest);
    }
    const isBusy = count % busyEvery === 0;
    if (!isBusy) {
      const device = path.slice('/3/device/'.length);
      told.set(device, [...(told.get(device) ?? []), { n: aps['content-state']?.n }]);
    }
    await sleep(answerAfterMs);
    if (stream.destroyed) return;
    stream.respond({ ':status': isBusy ? 503 : 200, ...(!isBusy && { 'apns-id': 'x' }) });
    stream.end(isBusy ? '{"reason":"ServiceUnavailable"}' : '');
  };

  const server = createServer();
  server.on('session', (session) => {
    sessions.set(session, { highest: 0, isOver: false });
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    void take(stream, String(headers[':path'])).catch(() => {});
  });
  return {
    url: await listening(server),
    told,
    count: () => count,
    close() {
      for (const session of sessions.keys()) session.destroy();
      server.close();
    },
  };
};

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** For a system whose app sends there: its environment, and the settings of the app. */
export const apnsEnv = { ROSTER_CREDENTIAL_APNS: key };

export const appWith = ({ url }: Apns) => ({
  id: 'app',
  name: 'App',
  channels: {
    ios_push: {
      key: { env: 'ROSTER_CREDENTIAL_APNS' },
      key_id: 'ABC123DEFG',
      team_id: 'DEF123GHIJ',
      topic: 'com.example.app',
      url,
    },
  },
});

/** As many different ones as are asked for. */
export const tokenOf = (n: number): string => n.toString(16).padStart(64, '0');
