import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFolder } from '@roster/testkit';
import { createLogWriter, type Target } from './log-writer.ts';

/** A writer to a place that takes what it is told to: `take(n)` ends the write that is under way. */
const stubborn = () => {
  const [taken, lost, recovered]: [string[], number[], number[]] = [[], [], []];
  let pending: ((length?: number) => void) | undefined;
  const target: Target = (bytes, written) => {
    pending = (length = bytes.length) => {
      pending = undefined;
      taken.push(bytes.subarray(0, length).toString());
      written(length);
    };
  };
  const [onLost, onRecovered] = [(n: number) => lost.push(n), (n: number) => recovered.push(n)];
  const writer = createLogWriter({ fd: 1, onLost, onRecovered, target });
  const take = (length?: number) => pending?.(length);
  /** So much of these lines is taken. */
  const write = async (lines: string, length?: number) => {
    writer.write(lines);
    const flushed = writer.flush();
    take(length);
    await flushed;
  };
  const sum = () => lost.reduce((a, b) => a + b, 0);
  return { writer, taken, recovered, sum, write, take, isBusy: () => pending !== undefined };
};

describe('the writer of log lines', () => {
  it('gathers lines and writes them at once', async () => {
    const { writer, write, taken } = stubborn();
    writer.write('a\n');
    await write('b\n');
    expect(taken).toEqual(['a\nb\n']);
  });

  it('drops and counts what can not be written, and tells how much when it can write again', async () => {
    const { write, taken, sum, recovered } = stubborn();
    await write('a\nb\nc\n', 2);
    expect([sum(), recovered]).toEqual([2, []]);
    await write('d\n');
    expect([taken, recovered]).toEqual([['a\n', 'd\n'], [2]]);
  });

  it('begins a line of its own after one that was cut short', async () => {
    const { write, taken } = stubborn();
    await write('abc\n', 1);
    await write('d\n');
    expect(taken).toEqual(['a', '\nd\n']);
  });

  it('keeps no more than a megabyte while nothing is taken', () => {
    const { writer, taken, take, sum, isBusy } = stubborn();
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 5000; i++) writer.write(line);
    for (let i = 0; i < 10 && isBusy(); i++) take();
    const bytes = taken.join('').length;
    expect(bytes).toBeLessThan(1.1 * 1024 * 1024);
    expect(bytes / 1024 + sum()).toBe(5000);
  });
});

/** Whether it tells its metrics, and how it ends after SIGTERM. */
const liveAs = async (chatty: string, stdout: number, meanwhile: () => Promise<void>) => {
  // The control never answers: it is not waited for as long as a slow machine may need.
  const patienceMs = chatty === 'chatty' ? 60_000 : 5_000;
  const child = fork(join(__dirname, 'run.fixture.cjs'), [chatty], {
    stdio: ['ignore', stdout, 'ignore', 'ipc'],
    env: { PATH: '', ROSTER_SECRET: 'a secret of this test' },
  });
  const exited = once(child, 'exit');
  const inTime = (ms: number) => sleep(ms, undefined, { ref: false });
  const ready = await Promise.race([once(child, 'message'), exited.then(() => undefined), inTime(60_000)]);
  await sleep(1000);
  await meanwhile();
  if (child.connected) child.send('metrics');
  const told =
    ready && (await Promise.race([once(child, 'message'), exited.then(() => undefined), inTime(patienceMs)]));
  child.kill('SIGTERM');
  const ended = await Promise.race([exited, inTime(patienceMs)]);
  child.kill('SIGKILL');
  await exited;
  const text: string = told?.[0]?.metrics ?? '';
  return {
    answers: text !== '',
    lost: Number(/^roster_log_lines_lost_total\{.*\} (\d+)/m.exec(text)?.[1] ?? 0),
    code: ended?.[0],
  };
};

describe.each([
  ['run', ''],
  // The control: the same process with lines written by pino.
  ['pino alone', 'pino'],
])('a process that can not write its standard output: %s', (_, how) => {
  const isControl = how !== '';
  const inFolder = useFolder({ forEach: true });

  const live = (stdout: number, meanwhile = async () => {}) =>
    liveAs(isControl ? 'chatty by pino' : 'chatty', stdout, meanwhile);

  const judge = ({ answers, lost, code }: Awaited<ReturnType<typeof live>>) => {
    if (isControl) expect([answers, code]).not.toEqual([true, 0]);
    else expect([answers, code, lost > 0]).toEqual([true, 0, true]);
  };

  const fifo = (): { path: string; reader: number } => {
    const path = inFolder('pipe');
    execFileSync('mkfifo', [path]);
    return { path, reader: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) };
  };

  it('answers and stops when the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    judge(await live(full));
    closeSync(full);
  });

  it('answers and stops when no process reads the pipe', async () => {
    const { path, reader } = fifo();
    const stdout = openSync(path, 'w');
    judge(await live(stdout));
    closeSync(stdout);
    closeSync(reader);
  });

  if (isControl) return;

  it('answers and stops when the reader of the pipe has gone', async () => {
    const { path, reader } = fifo();
    const stdout = openSync(path, 'w');
    closeSync(reader);
    judge(await live(stdout));
    closeSync(stdout);
  });

  it('goes on writing when the pipe is read again, and tells how many lines are missing', async () => {
    const { path, reader } = fifo();
    const stdout = openSync(path, 'w');
    let text = '';
    await live(stdout, async () => {
      new Socket({ fd: reader, writable: false }).on('data', (data) => {
        text += data;
      });
      await sleep(1000);
    });
    expect(/"lines":\d+,"msg":"log lines were dropped/.test(text)).toBe(true);
    for (const line of text.trim().split('\n').slice(0, 1000)) JSON.parse(line);
    closeSync(stdout);
  });
});
