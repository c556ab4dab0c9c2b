/** The side port of a process: metrics and health, never on the public port. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from './listen.ts';
import type { Metrics } from './metrics.ts';

/** `true`, or a sentence that says what is missing. */
export type Verdict = true | string;
interface Health {
  live(): Verdict | Promise<Verdict>;
  ready(): Verdict | Promise<Verdict>;
}
export interface Admin {
  port: number;
  close(): Promise<void>;
}

type Answer = { status: number; type: string; text: string };

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  text: JSON.stringify(body),
});

const verdict = async (ask: () => Verdict | Promise<Verdict>): Promise<Answer> => {
  const answer = await ask();
  return answer === true ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable', reason: answer });
};

const answerTo = async (path: string, health: Health, metrics: Metrics): Promise<Answer> => {
  if (path === '/metrics') return { status: 200, type: metrics.contentType, text: await metrics.text() };
  if (path === '/health/live') return verdict(health.live);
  if (path === '/health/ready') return verdict(health.ready);
  return json(404, { message: 'Invalid URL' });
};

const write = (response: ServerResponse, { status, type, text }: Answer): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
};

export interface AdminOptions {
  port: number;
  host: string;
  health: Health;
  metrics: Metrics;
}

export const startAdmin = async ({ port, host, health, metrics }: AdminOptions): Promise<Admin> => {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return write(response, json(405, { message: 'GET only' }));
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    answerTo(path, health, metrics).then(
      (answer) => write(response, answer),
      () => write(response, json(500, { message: 'Internal error' })),
    );
  });
  server.requestTimeout = 10_000;
  return { port: await listen(server, port, host), close: () => closeServer(server) };
};

/** Whether a server answers now. It decides within a second, whatever the server does. */
type Asks = () => Promise<boolean>;

/** Asks all servers at once. Probes that come meanwhile share the answer: probing often makes no more work. */
export const readyWhen = (servers: Readonly<Record<string, Asks>>): (() => Promise<Verdict>) => {
  const silent = async ([name, answers]: [string, Asks]): Promise<string[]> =>
    (await answers()) ? [] : [`${name} is away`];
  const ask = async (): Promise<Verdict> =>
    (await Promise.all(Object.entries(servers).map(silent))).flat().join(', ') || true;
  let asking: Promise<Verdict> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
};
