/** The door: templates are checked and rendered in threads of their own, with limits of time, memory and text. */
import { createEngine } from './engine.ts';
import { type Checked, type Job, LiquidFault, type Reply, type Template } from './fault.ts';
import { createRunner, type Runner } from './runner.ts';

export interface Liquid {
  /** What is wrong with the content, and which blocks it includes. */
  check(content: string): Promise<Checked>;
  /** Throws a LiquidFault. */
  render(template: Template): Promise<string>;
  close(): Promise<void>;
}

export interface LiquidOptions {
  /** A template that takes its time delays only those in the same thread. */
  threads?: number;
  /** For tests. */
  script?: URL;
}

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

/** Without the limits of time and memory that only a thread has. */
const createOwnThread = (): Runner => {
  const engine = createEngine();
  return { run: async (job) => engine(job), close: async () => {} };
};

const createRunners = ({ threads = 2, script }: LiquidOptions): Runner[] => {
  if (isSource && !script) return [createOwnThread()];
  const file = script ?? new URL('./liquid-thread.js', import.meta.url);
  return Array.from({ length: threads }, () => createRunner(file));
};

export const openLiquid = (options: LiquidOptions = {}): Liquid => {
  const runners = createRunners(options);
  let turn = 0;
  const run = (job: Job): Promise<Reply> => {
    turn = (turn + 1) % runners.length;
    const [runner] = runners.slice(turn);
    if (!runner) throw new Error('no thread for templates');
    return runner.run(job);
  };
  return {
    async check(content) {
      const reply = await run({ content });
      if ('checked' in reply) return reply.checked;
      return { faults: 'fault' in reply ? [reply.fault] : [], includes: [] };
    },
    async render(template) {
      const reply = await run({ template });
      if ('text' in reply) return reply.text;
      throw new LiquidFault('fault' in reply ? reply.fault : { kind: 'value', reason: 'no text' });
    },
    async close() {
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
};
