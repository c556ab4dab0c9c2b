// The sender of expensive requests: a process of its own, so that its work does not slow down what is measured beside it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Genome } from './genome.ts';
import type { Target } from './send.ts';

export interface LoudSpec {
  target: Target;
  genomes: Genome[];
}

/** How often it got each status. */
export type Answers = Record<number, number>;

export type Order = { spec: LoudSpec } | 'go' | 'pause' | 'end';
export type Report = 'prepared' | { answers: Answers };

const patienceMs = 90_000;

export const startLoud = (spec: LoudSpec) => {
  const child = fork(fileURLToPath(new URL('./loud-main.js', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A session of its own: Linux shares processors between sessions, and a priority counts within one only.
    detached: true,
  });
  const order = (what: Order): void => {
    if (child.connected) child.send(what);
  };
  let answers: Answers = {};
  child.on('message', (report: Report) => {
    if (report !== 'prepared') ({ answers } = report);
  });
  const exited = once(child, 'exit');
  const prepared = Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(patienceMs) }),
    exited,
  ]).then(() => {});
  order({ spec });
  return {
    /** What its requests are about is there. */
    prepared,
    go: () => order('go'),
    pause: () => order('pause'),
    async stop(): Promise<Answers> {
      order('end');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(late);
      return answers;
    },
  };
};
