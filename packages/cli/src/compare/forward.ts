/** The request as it goes on to the service that answers the caller, and its answer. */
import type { IncomingHttpHeaders } from 'node:http';

export interface Passing {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Forwarded {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const timeoutMs = 60_000;

/** Of one connection, or written anew for the next one. */
const hops = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'expect',
  'upgrade',
  'te',
]);

/** Their lengths and encodings are those of another connection. */
const answerHops = new Set([
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'keep-alive',
]);

const onward = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    hops.has(name) || value === undefined ? [] : [[name, String(value)]],
  );

export const createForward =
  (base: string) =>
  async ({ method, path, headers, body }: Passing): Promise<Forwarded> => {
    const response = await fetch(base + path, {
      method,
      headers: onward(headers),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const kept = [...response.headers].filter(([name]) => !answerHops.has(name));
    return {
      status: response.status,
      headers: Object.fromEntries(kept),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
