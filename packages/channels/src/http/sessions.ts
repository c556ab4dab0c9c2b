/** HTTP/2 connections that are kept from one push to the next, within bounds. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { LookupFunction } from 'node:net';
import { createLine, withinTime } from '@roster/contract';
import type { Names } from '@roster/names';
import type { Answer, Leave, Why } from '../outgoing.ts';
import { createPauses } from '../pauses.ts';
import { anyTime, unbegun } from '../places.ts';
import { createAnswerText, type HttpResponse } from './exchange.ts';
import { Late, whyOf } from './failures.ts';
import { withLightBind } from './light-bind.ts';

const most = { sessions: 20, streams: 500 };
const idleMs = 5 * 60_000;
const usualTimeoutMs = 10_000;

/** While pushes are under way: how often the server is asked whether it is there, and how soon it must answer. */
const usualPing = { everyMs: 4_000, withinMs: 5_000 };

export type Ping = typeof usualPing;

interface Http2Request {
  headers: OutgoingHttpHeaders;
  body: string;
  /** So much of the answer is read; else the usual. */
  answerBytes?: number;
  timeoutMs: number;
  leave: Leave;
}

type Timely = Pick<Http2Request, 'timeoutMs' | 'leave'>;

type Asked = Pick<Http2Request, 'headers' | 'body' | 'answerBytes'> & {
  [Name in keyof Timely]?: Timely[Name] | undefined;
};

/** Why the server did not look at a request: another connection may be tried. */
interface Unseen {
  unseen: Why;
}

interface Farewell {
  code?: number;
  lastStream: number;
}

/** A stream that a server refuses, or that lies behind the last one of its farewell, was not looked at (RFC 9113 8.7); one without an id was not written. */
const isUnseen = ({ id, rstCode }: ClientHttp2Stream, { code, lastStream }: Farewell): boolean => {
  if (id === undefined || id > lastStream) return true;
  // Node gives streams that end with their connection the code of its farewell.
  return rstCode === constants.NGHTTP2_REFUSED_STREAM && rstCode !== code;
};

const exchange = (
  stream: ClientHttp2Stream,
  { body, timeoutMs, answerBytes }: Http2Request,
  farewell: Farewell,
) =>
  new Promise<HttpResponse | Answer | Unseen>((resolve) => {
    let answered: Omit<HttpResponse, 'text'> | undefined;
    let why: Why = { reason: 'connection_lost' };
    const timer = setTimeout(() => {
      why = whyOf(new Late(timeoutMs), true);
      stream.close(constants.NGHTTP2_CANCEL);
    }, timeoutMs);
    const answerText = createAnswerText(answerBytes);
    stream.on('data', (chunk: Buffer) => {
      if (!answerText.add(chunk)) stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on('response', (headers) => {
      answered = { status: Number(headers[':status']), headers };
    });
    stream.on('error', (error) => {
      if (why.reason !== 'no_answer') why = whyOf(error, true);
    });
    stream.on('close', () => {
      clearTimeout(timer);
      if (answered) return resolve({ ...answered, text: answerText.text() });
      resolve(isUnseen(stream, farewell) ? { unseen: why } : { state: 'unknown', ...why });
    });
    stream.end(body);
  });

const later = (why: Why): Answer => ({ state: 'later', ...why });

const closed: Why = { reason: 'connection_lost', words: 'the server closed the connection' };

/** Once its settings are known; else why there is no connection. */
const connected = (session: ClientHttp2Session, timeoutMs: number): Promise<Answer | undefined> => {
  const known = new Promise<Answer | undefined>((resolve) => {
    session.once('remoteSettings', () => resolve(undefined));
    session.once('error', (error) => resolve(later(whyOf(error, false))));
    session.once('close', () => resolve(later(closed)));
  });
  return withinTime(timeoutMs, known, () => {
    session.destroy();
    return later({ reason: 'no_connection', words: `no connection within ${timeoutMs} ms` });
  });
};

/** Node destroys a connection whose server says farewell with an error, and the answers that still come with it. This one ends after them, as after a farewell without an error. */
const awaitAnswers = (session: ClientHttp2Session): void => {
  const destroy = session.destroy.bind(session);
  session.destroy = (error?: Error & { code?: unknown }, code?: number): void =>
    error?.code === 'ERR_HTTP2_SESSION_ERROR' ? session.close() : destroy(error, code);
};

const farewellOf = (session: ClientHttp2Session, { over, calm }: Pick<On, 'over' | 'calm'>): Farewell => {
  const farewell: Farewell = { lastStream: Number.POSITIVE_INFINITY };
  session.on('goaway', (code, lastStream) => {
    farewell.code ||= code;
    farewell.lastStream = Math.min(farewell.lastStream, lastStream);
    if (code === constants.NGHTTP2_ENHANCE_YOUR_CALM) calm();
    over();
  });
  return farewell;
};

/** A server that vanished without a word is noticed: its connection ends, and with it what is under way. */
const watch = (session: ClientHttp2Session, isBusy: () => boolean, { everyMs, withinMs }: Ping): void => {
  let late: NodeJS.Timeout | undefined;
  const ask = (): void => {
    if (!isBusy() || late || session.destroyed || session.connecting) return;
    late = setTimeout(() => session.destroy(new Late(withinMs)), withinMs);
    const answered = (): void => {
      clearTimeout(late);
      late = undefined;
    };
    if (!session.ping(answered)) answered();
  };
  const timer = setInterval(ask, everyMs).unref();
  session.once('close', () => {
    clearInterval(timer);
    clearTimeout(late);
  });
};

/** What the connection came to, or that the message had to leave before it was there. */
const beforeLeaving = (ready: Promise<Answer | undefined>, { until }: Leave): Promise<Answer | undefined> =>
  until === Number.POSITIVE_INFINITY ? ready : withinTime(until - performance.now(), ready, () => unbegun);

interface On {
  /** It takes no more requests. */
  over(): void;
  /** The server wants a pause. */
  calm(): void;
  closed(): void;
}

/** How a connection is opened and watched. */
interface Opening {
  url: string;
  timeoutMs: number;
  ping: Ping;
  lookup: LookupFunction;
}

const openSession = ({ url, timeoutMs, ping, lookup }: Opening, on: On) => {
  const session = connect(url, { lookup });
  awaitAnswers(session);
  const ready = connected(session, timeoutMs);
  /** Requests that wait for room at the server. */
  const waiting = createLine();
  let [under, isReady, isOver] = [0, false, false];
  void ready.then((failed) => {
    isReady = failed === undefined;
  });
  const over = (): void => {
    isOver = true;
    on.over();
    waiting.callAll();
  };
  // Told by the streams, and by `ready`.
  session.on('error', () => {});
  // APNs allows one stream until it has seen a token, and many afterwards.
  session.on('remoteSettings', waiting.callAll);
  const farewell = farewellOf(session, { over, calm: on.calm });
  session.on('close', () => {
    over();
    on.closed();
  });
  session.setTimeout(idleMs, () => session.close());
  watch(session, () => under > 0, ping);

  const limit = (): number => Math.min(most.streams, session.remoteSettings?.maxConcurrentStreams ?? 1);

  const begin = (headers: OutgoingHttpHeaders): ClientHttp2Stream | undefined => {
    try {
      // Its streams are told of its end before it is told itself.
      if (session.destroyed || session.closed) over();
      return isOver ? undefined : withLightBind(() => session.request(headers, { endStream: false }));
    } catch {
      over();
      return undefined;
    }
  };

  return {
    async request(request: Http2Request): Promise<HttpResponse | Answer | Unseen> {
      const { leave, timeoutMs } = request;
      const until = performance.now() + timeoutMs;
      const failed = isReady ? undefined : await beforeLeaving(ready, leave);
      if (failed) return failed;
      while (!isOver && under >= limit())
        if (!(await waiting.before(Math.min(until, leave.until))))
          // Also a server that has none of our pushes and takes none has no room: that is its answer.
          return until > leave.until && under > 0
            ? unbegun
            : later({
                reason: 'provider_unavailable',
                words: `no room at the server within ${timeoutMs} ms`,
              });
      const stream = begin(request.headers);
      if (!stream) return { unseen: closed };
      under += 1;
      try {
        return await exchange(stream, request, farewell);
      } finally {
        under -= 1;
        waiting.callOne();
      }
    },
    /** What is under way may end. */
    close(): void {
      over();
      session.close();
    },
    destroy(): void {
      session.destroy();
    },
  };
};

type Http2Session = ReturnType<typeof openSession>;

/** A server may say farewell at any time: what it has not looked at goes to the next connection. */
const mostConnections = 10;

export const openSessions = (names: Names, ping: Ping = usualPing) => {
  // The one that was used last is at the end.
  const kept = new Map<string, Http2Session>();
  const all = new Set<Http2Session>();
  const pauses = createPauses();

  const open = (name: string, url: string, { timeoutMs, leave }: Timely): Http2Session => {
    const opening = { url, timeoutMs, ping, lookup: names.lookupFor(leave.ws) };
    const session: Http2Session = openSession(opening, {
      over() {
        if (kept.get(name) === session) kept.delete(name);
      },
      calm: () => pauses.begin(name, Date.now()),
      closed() {
        all.delete(session);
      },
    });
    all.add(session);
    return session;
  };

  const sessionFor = (name: string, url: string, timely: Timely): Http2Session => {
    const session = kept.get(name) ?? open(name, url, timely);
    kept.delete(name);
    kept.set(name, session);
    const [first] = kept.values();
    if (kept.size > most.sessions) first?.close();
    return session;
  };

  return {
    /** Under one name all requests have the same credentials. */
    async request(name: string, url: string, asked: Asked): Promise<HttpResponse | Answer> {
      const timely = { timeoutMs: asked.timeoutMs ?? usualTimeoutMs, leave: asked.leave ?? anyTime };
      const until = performance.now() + timely.timeoutMs;
      for (let n = 1; ; n++) {
        const paused = pauses.answerFor(name, Date.now(), 'the server wants a pause of this connection');
        if (paused) return paused;
        const answer = await sessionFor(name, url, timely).request({ ...asked, ...timely });
        if (!('unseen' in answer)) return answer;
        if (n === mostConnections || performance.now() > until) return later(answer.unseen);
      }
    },
    close(): void {
      for (const session of all) session.destroy();
    },
  };
};

export type Sessions = ReturnType<typeof openSessions>;
