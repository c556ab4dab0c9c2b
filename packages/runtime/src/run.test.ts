/** Real processes; a bare socket takes a port away from one of them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import request from 'supertest';

/** A real process: what is tested here are signals and exits. */
interface Life {
  child: ChildProcess;
  out(): string;
  err(): string;
  messages: unknown[];
  ended: Promise<{ code: number | null }>;
  line(message: string): Promise<Record<string, unknown>>;
}

const begin = (kind: string, more: Record<string, string> = {}, service = 'track'): Life => {
  const env = { PATH: '', ROSTER_SECRET: 'a secret of this test', ...more };
  const child = fork(join(__dirname, 'run.fixture.cjs'), [kind, service], { silent: true, env });
  const texts = { out: '', err: '' };
  const messages: unknown[] = [];
  child.stdout?.on('data', (data) => {
    texts.out += data;
  });
  child.stderr?.on('data', (data) => {
    texts.err += data;
  });
  child.on('message', (message) => messages.push(message));
  // Not "close": it does not come once the parent has disconnected.
  const drained = once(child.stdout ?? child, 'end');
  const ended = Promise.all([once(child, 'exit'), drained]).then(([[code]]) => ({
    code: code as number | null,
  }));
  const find = (message: string) => texts.out.split('\n').find((line) => line.includes(`"msg":"${message}"`));
  const line = async (message: string) => {
    for (let tries = 0; tries < 12_000 && !find(message); tries++) await new Promise((r) => setTimeout(r, 5));
    const found = find(message);
    if (!found) throw new Error(`no line "${message}" in ${texts.out}${texts.err}`);
    return JSON.parse(found) as Record<string, unknown>;
  };
  return { child, out: () => texts.out, err: () => texts.err, messages, ended, line };
};

describe('the life of a process', () => {
  it('says that it is ready, in a line and to its parent, with its port', async () => {
    const life = begin('good');
    expect(await life.line('ready')).toMatchObject({ service: 'track', level: 'info', port: 4321 });
    expect(life.messages).toEqual([{ ready: true, port: 4321 }]);
    life.child.kill('SIGTERM');
    expect((await life.ended).code).toBe(0);
  });

  type End = (child: ChildProcess) => unknown;
  const inOrder = /"msg":"stopping"[\s\S]*"msg":"work finished"[\s\S]*"msg":"stopped"/;

  it.each<[string, string, string, End, number, RegExp]>([
    ['finishes its work after SIGTERM', 'good', 'ready', (child) => child.kill('SIGTERM'), 0, inOrder],
    ['finishes its work after SIGINT', 'good', 'ready', (child) => child.kill('SIGINT'), 0, inOrder],
    ['says when it can not stop', 'fails to stop', 'ready', (child) => child.kill(), 1, /stopping failed/],
    ['goes while it starts', 'never starts', 'starting', (child) => child.kill(), 0, /starting/],
    ['goes when its parent is gone', 'good', 'ready', (child) => child.disconnect(), 0, inOrder],
    [
      'goes on where its share is fixed',
      'gives way in vain',
      'ready',
      (child) => child.kill(),
      0,
      /"stopped"/,
    ],
  ])('%s (%s, %s)', async (_, kind, from, end, code, says) => {
    const life = begin(kind);
    await life.line(from);
    end(life.child);
    expect((await life.ended).code).toBe(code);
    expect(life.out()).toMatch(says);
  });

  it('exits 1 at once when the same signal comes again', async () => {
    const life = begin('never stops');
    await life.line('ready');
    life.child.kill('SIGTERM');
    await life.line('stopping');
    life.child.kill('SIGTERM');
    expect((await life.ended).code).toBe(1);
  });

  it('goes on stopping when it is told again in another way', async () => {
    const life = begin('good');
    await life.line('ready');
    life.child.kill('SIGINT');
    life.child.kill('SIGTERM');
    life.child.disconnect();
    expect((await life.ended).code).toBe(0);
    expect(life.out()).toContain('work finished');
  });

  it.each(['throws', 'rejects'])(
    'logs an uncaught error, without personal data, and exits 1: %s',
    async (kind) => {
      const life = begin(kind);
      expect((await life.ended).code).toBe(1);
      const line = await life.line('unexpected error; the process ends');
      expect(line).toMatchObject({ level: 'fatal', err: { message: 'a bug with <email>' } });
    },
  );

  it('says in a line why it can not start', async () => {
    const life = begin('fails to start');
    expect((await life.ended).code).toBe(1);
    expect(life.err()).toBe('track cannot start: MongoDB says no\n');
  });

  it('tells how long another secret is accepted, and says no secret', async () => {
    const secret = 'the-secret-of-before';
    const soon = new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString().slice(0, 10);
    const life = begin('good', { ROSTER_SECRET_ALSO: `${secret}@9999-01-01 another-${secret}@${soon}` });
    await life.line('ready');
    life.child.kill('SIGTERM');
    await life.ended;
    expect(life.out()).toMatch(
      /"level":"info".*signatures of secret 1 of ROSTER_SECRET_ALSO are accepted until 9999-01-01/,
    );
    expect(life.out()).toMatch(/"level":"warn".*secret 2 of ROSTER_SECRET_ALSO are accepted until/);
    expect(life.out()).not.toContain(secret);
  });

  it('does not start with another secret without a date', async () => {
    const life = begin('good', { ROSTER_SECRET_ALSO: 'the-secret-of-before' });
    expect((await life.ended).code).toBe(1);
    expect(life.err()).toMatch(/^track cannot start: secret 1 of ROSTER_SECRET_ALSO has no date/);
    expect(life.err()).not.toContain('the-secret-of-before');
  });

  it('says every wrong variable at once', async () => {
    const life = begin('good', { REDIS_URL: 'http://x', LOG_LEVEL: 'loud' });
    expect((await life.ended).code).toBe(1);
    expect(life.err()).toMatch(
      /track cannot start: \n {2}- LOG_LEVEL is "loud".*\n {2}- REDIS_URL is not right/,
    );
  });

  it('says so when its side port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const life = begin('good', { ADMIN_PORT: String(port) });
    expect((await life.ended).code).toBe(1);
    expect(life.err()).toMatch(/^track cannot start: .*EADDRINUSE.*\n$/);
    server.close();
  });

  it('tells on its side port that it starts, and that it is ready', async () => {
    const life = begin('slow');
    const { port } = await life.line('starting');
    const side = request(`http://127.0.0.1:${port}`);
    await side.get('/health/ready?verbose').expect(503, { status: 'unavailable', reason: 'starting' });
    await life.line('ready');
    await side.get('/health/ready?verbose').expect(200);
    const { text: metrics } = await side.get('/metrics').expect(200);
    if (process.platform === 'linux')
      expect(metrics).toMatch(/roster_processor_wait_seconds_total\{service="track"\} \d/);
    life.child.kill('SIGTERM');
    expect((await life.ended).code).toBe(0);
  });
});
