/** Runs as a process of its own, in which drivers speak with servers: see reader.ts. */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { attempted } from '../members.ts';
import { createAnswering } from './answer.ts';
import { createFrames, frameOf } from './frames.ts';
import { readerBounds } from './limits.ts';
import type { Request } from './messages.ts';

// If memory is short, this process goes before the one that has started it.
attempted(() => writeFileSync('/proc/self/oom_score_adj', '1000'), undefined);

// A signal for a whole terminal: this process ends with its pipe.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const { frameBytes, closeMs } = readerBounds;
const pipe = new Socket({ fd: 3 });

const { take, end, fail } = createAnswering((answer) => {
  const frame = frameOf(answer, frameBytes);
  for (const part of frame ?? []) pipe.write(part);
  return frame !== undefined;
});

pipe.on(
  'data',
  createFrames(frameBytes, { message: (one) => take(one as Request), tooLarge: () => pipe.destroy() }),
);
pipe.on('error', () => pipe.destroy());
process.on('uncaughtException', (error) => {
  fail(error);
  pipe.end(() => process.exit(1));
});
// Connections are ended in order, so that a server hears of it, if it takes no longer.
pipe.on('end', () => pipe.destroy());
pipe.on('close', () => {
  end();
  setTimeout(() => process.exit(), closeMs).unref();
});
