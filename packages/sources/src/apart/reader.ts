/**
 * A process in which drivers speak with servers. What a server sends can end it by its memory, its time or an error of a driver, and then it
 * ends nothing else. It has no variables of this process but those about Node and TLS; credentials go through its pipe.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { attempted } from '../members.ts';
import { SourceError } from '../source-error.ts';
import { createFrames, frameOf } from './frames.ts';
import { createLife } from './life.ts';
import type { ReaderLimits } from './limits.ts';
import type { Answer, Request } from './messages.ts';

export interface ReaderOptions {
  readonly script: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits: ReaderLimits;
  hear(answer: Answer): void;
  /** Once; it hears and sends nothing more. */
  ended(why: SourceError): void;
}

const passedOn = [
  'LOCALDOMAIN',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'RES_OPTIONS',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'TZ',
];

const reasons = {
  memory: ({ memoryMb }: ReaderLimits) =>
    new SourceError(
      'out_of_memory',
      `reading took more than ${memoryMb} MB of memory: the database answers with too much at once; select fewer columns, or smaller rows or documents`,
    ),
  frame: () => new SourceError('too_large', 'reading gave more at once than a page of rows may have'),
  busy: ({ busyMs }: ReaderLimits) =>
    new SourceError(
      'time_limit',
      `the process that reads was busy for more than ${busyMs / 1_000} s with what the database has sent: another program may answer at its address, or a row is too large`,
    ),
  silent: ({ silentMs }: ReaderLimits) =>
    new SourceError(
      'reader_ended',
      `the process that reads gave no sign of life for ${silentMs / 1_000} s: it was stopped, or gets no processor`,
    ),
  ended: (how: string) =>
    new SourceError('reader_ended', `the process that reads from the database has ended: ${how}`),
};

/** Linux: the megabytes that the process has in memory and in swap. Elsewhere only its heap is bounded. */
const memoryOf = (pid: number): number => {
  const status = attempted(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '');
  const parts = [...status.matchAll(/^Vm(?:RSS|Swap):\s+(\d+) kB$/gm)];
  return parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1_024;
};

/** Linux: for how long its event loop has had a processor. Some kernels count nothing. */
const busyMsOf = (pid: number): number | undefined => {
  const [busy] = attempted(() => readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' '), []);
  return busy === undefined || busy === '0' ? undefined : Number(busy) / 1e6;
};

const start = ({ script, env, limits }: ReaderOptions): ChildProcess =>
  spawn(
    process.execPath,
    [`--max-old-space-size=${limits.heapMb}`, '--max-semi-space-size=8', fileURLToPath(script)],
    {
      env: Object.fromEntries(passedOn.map((name) => [name, env[name]])),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // A session of its own, so that it can have another share of the processors. It ends with its pipe.
      detached: true,
    },
  );

const pipeOf = ({ stdio }: ChildProcess): Socket => {
  const pipe = stdio?.[3];
  if (pipe instanceof Socket) return pipe;
  throw new Error('the process that reads has no pipe');
};

const endedBy = (
  code: number | null,
  signal: string | null,
  said: string,
  limits: ReaderLimits,
): SourceError =>
  /heap out of memory|Reached heap limit|Allocation failed/.test(said)
    ? reasons.memory(limits)
    : reasons.ended(signal ?? `exit code ${code}`);

/** It dies when it takes too much memory, or gives no sign of life: `kill` is told why. */
const watch = (
  child: ChildProcess,
  limits: ReaderLimits,
  kill: (why: SourceError) => void,
  ask: () => void,
) => {
  const { lookMs, busyMs, memoryMb } = limits;
  const askEvery = Math.max(1, Math.round(busyMs / 6 / lookMs));
  const life = createLife(limits);
  let looks = 0;
  const timer = setInterval(() => {
    const pid = child.pid ?? 0;
    looks += 1;
    if (memoryOf(pid) > memoryMb) return kill(reasons.memory(limits));
    const end = life.look(busyMsOf(pid));
    if (end) return kill(reasons[end](limits));
    if (looks % askEvery === 0) ask();
  }, lookMs);
  timer.unref();
  return { heard: life.heard, stop: () => clearInterval(timer) };
};

export const startReader = (options: ReaderOptions) => {
  const { limits, hear, ended } = options;
  const child = start(options);
  const pipe = pipeOf(child);
  let why: SourceError | undefined;
  let said = '';

  const kill = (reason: SourceError): void => {
    why ??= reason;
    child.kill('SIGKILL');
    // What it still says is not kept.
    pipe.destroy();
  };
  const send = (request: Request): void => {
    const frame = frameOf(request, limits.frameBytes);
    if (!frame) kill(reasons.frame());
    else if (!pipe.destroyed) for (const part of frame) pipe.write(part);
  };
  const life = watch(child, limits, kill, () => send({ isAlive: true }));

  const gone = new Promise<void>((resolve) => {
    // After all that it has said.
    child.once('close', (code, signal) => {
      life.stop();
      ended(why ?? endedBy(code, signal, said, limits));
      resolve();
    });
  });
  child.on('error', ({ message }) => kill(reasons.ended(message)));
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-4_096);
  });
  // How it has ended is told by the process.
  pipe.on('error', () => {});
  const frames = createFrames(limits.frameBytes, {
    message(message) {
      life.heard();
      // Our own script has written it.
      hear(message as Answer);
    },
    tooLarge: () => kill(reasons.frame()),
  });
  pipe.on('data', frames);

  return {
    /** Undefined where it could not be started. */
    pid: child.pid,
    send,
    /** Ends its connections, then itself. */
    async close(): Promise<void> {
      pipe.end();
      const late = setTimeout(() => child.kill('SIGKILL'), 2 * limits.closeMs);
      await gone;
      clearTimeout(late);
    },
  };
};

export type Reader = ReturnType<typeof startReader>;
