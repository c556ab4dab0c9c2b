import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { createTracing } from './create-tracing.ts';

jest.setTimeout(30_000);

const traceId = '0af7651916cd43dd8448eb211c80319c';
const trace = `00-${traceId}-b7ad6b7169203331-01`;

describe('tracing', () => {
  let server: Server | undefined;

  const listen = async (answers: boolean): Promise<string> => {
    const made = createServer((request, response) => {
      request.resume();
      if (answers) request.on('end', () => response.end('{}'));
    });
    server = made;
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
  };
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  /** Of a process that makes so many traces of two spans; one more span is left when it closes. */
  const told = async (endpoint: string, traces: number) => {
    const child = fork(join(__dirname, 'tracing.fixture.cjs'), [endpoint, String(traces)], { silent: true });
    let log = '';
    child.stdout?.on('data', (data) => {
      log += data;
    });
    const [answer] = await once(child, 'message');
    await once(child, 'close');
    return { ...(answer as { sent: number; lost: number; closeMs: number; isLoaded: boolean }), log };
  };

  it('is not there without a collector, and nothing of its library is loaded', async () => {
    expect(await told('', 1)).toMatchObject({ sent: 0, lost: 0, isLoaded: false });
  });

  it('sends what has ended, and at its close what is left', async () => {
    expect(await told(await listen(true), 10)).toMatchObject({ sent: 21, lost: 0, isLoaded: true });
  });

  it.each([
    ['answers nothing', () => listen(false)],
    ['is not there', async () => 'http://127.0.0.1:1'],
  ])(
    'a collector that %s: spans are lost, 2,048 wait at most, one line is logged, and the close is in time',
    async (_what, where) => {
      const { sent, lost, closeMs, log } = await told(await where(), 5_000);
      expect(sent).toBe(0);
      expect(lost).toBeGreaterThan(512);
      // Of 10,001: those that waited, and a batch that was on its way.
      expect(lost).toBeLessThanOrEqual(2048 + 2 * 512);
      expect(log.split('the collector does not take traces').length - 1).toBe(1);
      expect(closeMs).toBeLessThan(3_000);
    },
  );
});

describe('the traces of a turn', () => {
  const open = () => {
    const log = createLog({ service: 'x', level: 'silent' });
    const metrics = createMetrics({ service: 'x' });
    return createTracing({ service: 'x', endpoint: 'http://127.0.0.1:1', share: 1, metrics, log });
  };

  it('are none of requests that are not traced, whatever is written in them', async () => {
    const { turn, transaction, close } = open();
    const written = [undefined, '', 'x'.repeat(100_000), `00-${traceId}-b7ad6b7169203331-00`, 7, null, {}];
    const requests = written.map((value, n) => ({ id: `r${n}`, op: 'users.track', trace: value as string }));
    expect(turn('track-0', requests)).toBeUndefined();
    expect(transaction(requests)).toBeUndefined();
    await close();
  });

  it('know the transactions in it by its requests, of which 64 have spans', async () => {
    const { turn, transaction, close } = open();
    const requests = Array.from({ length: 1000 }, (_, n) => ({ id: `r${n}`, op: 'users.track', trace }));
    expect(transaction(requests)).toBeUndefined();
    const one = turn('track-0', requests);
    expect(transaction(requests.slice(0, 10))).toBeDefined();
    expect(transaction(requests.slice(64))).toBeUndefined();
    one?.end();
    await close();
  });
});
