// A server that takes pushes as APNs does: it says farewell every hundred of them, may be busy for a moment now and then, and keeps what each
// device was told.
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import { appleKey, openHttp2, textOf } from '@roster/testkit';
import { sleep } from './wait.ts';

/** Of an update of a live activity: its number, from its content. */
export type Told = number | undefined;

const [farewellEvery, answerAfterMs] = [100, 10];

/** Busy for each so many. */
export const openApns = async (busyEvery = Number.POSITIVE_INFINITY) => {
  /** By token, in the order in which it came. */
  const told = new Map<string, Told[]>();
  /** The highest stream that was looked at; after a farewell nothing behind it is. */
  const sessions = new WeakMap<Http2Session, { highest: number; isOver: boolean }>();
  let count = 0;

  const take = async (stream: ServerHttp2Stream, path: string): Promise<void> => {
    const { aps } = JSON.parse(await textOf(stream));
    const { session, id = 0 } = stream;
    if (!session || session.destroyed) return;
    const seen = sessions.get(session) ?? { highest: 0, isOver: false };
    if (seen.isOver && id > seen.highest) return;
    sessions.set(session, seen);
    seen.highest = Math.max(seen.highest, id);
    count += 1;
    if (count % farewellEvery === 0 && !seen.isOver) {
      seen.isOver = true;
      session.goaway(0, seen.highest);
    }
    const isBusy = count % busyEvery === 0;
    if (!isBusy) {
      const device = path.slice('/3/device/'.length);
      told.set(device, [...(told.get(device) ?? []), aps['content-state']?.n]);
    }
    await sleep(answerAfterMs);
    if (stream.destroyed) return;
    stream.respond({ ':status': isBusy ? 503 : 200, ...(!isBusy && { 'apns-id': 'x' }) });
    stream.end(isBusy ? '{"reason":"ServiceUnavailable"}' : '');
  };

  const { url, close } = await openHttp2({
    onStream: (stream, headers) => void take(stream, String(headers[':path'])).catch(() => {}),
  });
  /** `count`: how many came in all. */
  return { url, told, count: () => count, close };
};

export type Apns = Awaited<ReturnType<typeof openApns>>;

/** For a system whose app sends there: its environment, and the settings of the app. */
export const apnsEnv = { ROSTER_CREDENTIAL_APNS: appleKey.key };

export const appWith = ({ url }: Apns) => ({
  id: 'app',
  name: 'App',
  channels: { ios_push: { ...appleKey, key: { env: 'ROSTER_CREDENTIAL_APNS' }, url } },
});

/** As many different ones as are asked for. */
export const tokenOf = (n: number): string => n.toString(16).padStart(64, '0');
