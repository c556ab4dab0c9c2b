/** The process of the caller, as the trial sees it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sleep } from '../../harness/wait.ts';

export interface Order {
  url: string;
  key: string;
  total: number;
  maxEntries: number;
  /** Of so many answers one is lost. */
  oneIn: number;
  seed: number;
}

/** Accepted, another one, or none: its promise still waits. */
export type Outcome = 'a' | 'o' | 'w';

interface Sent {
  /** A letter for each event. */
  outcomes: string;
  answersLost: number;
  /** Bytes above what the process held before it sent anything. */
  mostHeld: number;
}

export type Report = { settled: number } | Sent;

export const startSender = (order: Order) => {
  const child = fork(fileURLToPath(new URL('./sender.js', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let settled = 0;
  const sent = new Promise<Sent>((resolve, reject) => {
    child.on('message', (report: Report) => {
      settled = 'outcomes' in report ? order.total : report.settled;
      if ('outcomes' in report) resolve(report);
    });
    child.once('exit', () => reject(new Error('the caller has ended')));
  });
  sent.catch(() => {});
  child.send(order);
  return {
    sent,
    progress: (): number => settled / order.total,
    /** As a laptop that is closed, or a function that is frozen. */
    async freeze(ms: number): Promise<void> {
      child.kill('SIGSTOP');
      await sleep(ms);
      child.kill('SIGCONT');
    },
    async stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
