/** The writer alone, and real processes on files and pipes. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until, useFolder } from '@roster/testkit';
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

interface Told {
  lines: number;
  metrics: string;
}

const lostIn = ({ metrics }: Told): number =>
  Number(/^roster_log_lines_lost_total\{.*\} (\d+)/m.exec(metrics)?.[1] ?? 0);

/** Ten times what a pipe and the process may hold of its lines. */
const manyLines = 50_000;

const hasLost = (told: Told): boolean => lostIn(told) > 0;
const hasSaidMuch = ({ lines }: Told): boolean => lines > manyLines;

/** Asks it for its metrics until they are as `stuck` says, and ends it; the exit code, or `undefined` after `endMs`. */
const liveAs = async (
  chatty: string,
  { stdout, stuck, endMs }: { stdout: number; stuck: (told: Told) => boolean; endMs: number },
  meanwhile = async () => {},
): Promise<number | undefined> => {
  const child = fork(join(__dirname, 'run.fixture.cjs'), [chatty], {
    stdio: ['ignore', stdout, 'ignore', 'ipc'],
    env: { PATH: '', ROSTER_SECRET: 'a secret of this test' },
  });
  const exited = once(child, 'exit');
  const message = async (): Promise<Told | undefined> =>
    (await Promise.race([once(child, 'message'), exited.then(() => [])]))[0];
  await message();
  await until(async () => {
    child.send('metrics');
    const told = await message();
    if (!told) throw new Error('it has ended');
    return stuck(told);
  });
  await meanwhile();
  child.kill('SIGTERM');
  const ended = await Promise.race([exited, sleep(endMs, undefined, { ref: false })]);
  child.kill('SIGKILL');
  await exited;
  return ended?.[0];
};

const inFolder = useFolder({ forEach: true });

const pipe = () => {
  const path = inFolder('pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, stdout: openSync(path, 'w') };
};

describe('a process that can not write its standard output', () => {
  const live = (stdout: number, meanwhile?: () => Promise<void>) =>
    liveAs('chatty', { stdout, stuck: hasLost, endMs: 60_000 }, meanwhile);

  it('answers and stops when the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    expect(await live(full)).toBe(0);
    closeSync(full);
  });

  it('answers and stops when no process reads the pipe', async () => {
    const { reader, stdout } = pipe();
    expect(await live(stdout)).toBe(0);
    closeSync(stdout);
    closeSync(reader);
  });

  it('answers and stops when the reader of the pipe has gone', async () => {
    const { reader, stdout } = pipe();
    closeSync(reader);
    expect(await live(stdout)).toBe(0);
    closeSync(stdout);
  });

  it('goes on writing when the pipe is read again, and tells how many lines are missing', async () => {
    const { reader, stdout } = pipe();
    let text = '';
    await live(stdout, async () => {
      new Socket({ fd: reader, writable: false }).on('data', (data) => {
        text += data;
      });
      await until(() => /"lines":\d+,"msg":"log lines were dropped/.test(text));
    });
    for (const line of text.trim().split('\n').slice(0, 1000)) JSON.parse(line);
    closeSync(stdout);
  });
});

/** Why lines are not written by pino itself (docs/adr/failures.md): when this fails, `log-writer.ts` may not be needed any more. */
describe("with pino's own destination the same process", () => {
  it.each([
    ['when the disk is full', () => ({ stdout: openSync('/dev/full', 'w'), reader: undefined })],
    ['when no process reads the pipe', pipe],
  ])('answers, and never ends after SIGTERM, %s', async (_when, open) => {
    const { stdout, reader } = open();
    // Its end never comes: it is not waited for as long as a slow machine may need.
    const ended = await liveAs('chatty by pino', { stdout, stuck: hasSaidMuch, endMs: 5_000 });
    expect(ended).toBe(undefined);
    closeSync(stdout);
    if (reader !== undefined) closeSync(reader);
  });
});
