/** A request on its way to the service that answers the caller, and the answer on its way back: as they are, piece by piece. */
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Copy, CopyOf } from './copies.ts';

export interface Theirs {
  status: number;
  body: Copy;
  headers: http.IncomingHttpHeaders;
}

/** Of a connection without a byte in either direction. */
const silentMs = 60_000;
/** Shorter than any server keeps a connection: none is used that closes at this moment. */
const idleMs = 4_000;

/** Of one connection alone (RFC 9110 7.6.1). */
const hops = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];
/** The next connection has its own host; the body comes in one piece after the other, and is compared as it is. */
const ofRequest = new Set([...hops, 'host', 'expect', 'accept-encoding']);
const ofAnswer = new Set([...hops, 'transfer-encoding']);

/** They say where a body ends, whatever else is said about them. */
const framing = new Set(['content-length', 'transfer-encoding']);

const onward = (message: http.IncomingMessage, left: ReadonlySet<string>): http.OutgoingHttpHeaders => {
  const named = (message.headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const kept = Object.entries(message.headersDistinct).filter(
    ([name]) => !left.has(name) && !(named.includes(name) && !framing.has(name)),
  );
  return Object.fromEntries(
    kept.map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
};

export const createForward = (from: string, copyOf: CopyOf, timeoutMs = silentMs) => {
  const { protocol, hostname, port, pathname } = new URL(from);
  const { request: open, Agent } = protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  const base = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? undefined : Number(port),
    agent,
  };
  const prefix = pathname.replace(/\/+$/, '');

  const answer = async (
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<Theirs | undefined> => {
    const { method, url = '/' } = request;
    const headers = { ...onward(request, ofRequest), 'accept-encoding': 'identity' };
    const upstream = open({ ...base, method, path: prefix + url, headers });
    upstream.on('error', () => undefined);
    upstream.setTimeout(timeoutMs, () => upstream.destroy(new Error('silence')));
    // The caller has left, or has the answer before all of the body was sent.
    response.once('close', () => {
      upstream.destroy();
      request.resume();
    });
    request.pipe(upstream);
    const closed = new AbortController();
    upstream.once('close', () => closed.abort());
    const [theirs] = (await once(upstream, 'response', closed)) as [http.IncomingMessage];
    const { statusCode: status = 502, statusMessage } = theirs;
    const body = copyOf(theirs);
    try {
      response.writeHead(status, statusMessage, onward(theirs, ofAnswer));
      await pipeline(theirs, response);
      return { status, body, headers: theirs.headers };
    } catch (error) {
      body.free();
      throw error;
    }
  };

  return {
    /** Resolves when the caller has the answer; `undefined` when there was none. Never rejected. */
    pass: (request: http.IncomingMessage, response: http.ServerResponse): Promise<Theirs | undefined> =>
      answer(request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end();
        request.resume();
        return undefined;
      }),
    end: (): void => agent.destroy(),
  };
};
