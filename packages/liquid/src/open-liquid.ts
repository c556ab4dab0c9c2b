/** The door: templates are checked and rendered in threads of their own, with limits of work, memory and text. */
import {
  type cpuClockOf,
  createInPlace,
  createInTurn,
  createRunner,
  isSource,
  type Runner as RunnerOf,
} from '@roster/threads';
import { createEngine, type EngineOptions } from './engine.ts';
import {
  type Checked,
  LiquidFault,
  type LiquidJob,
  type LiquidReply,
  type Series,
  type Some,
  type Template,
  type TemplateFault,
} from './fault.ts';
import { type TestBounds, limits as usual } from './limits.ts';

/** Is told the milliseconds of CPU that a check or a rendering took. */
type OnSpent = (cpuMs: number) => void;

type Runner = RunnerOf<LiquidJob, LiquidReply>;

/** `clockOf`, `limits` and `script` are for tests. */
export interface LiquidOptions {
  clockOf?: typeof cpuClockOf;
  limits?: TestBounds;
  /** A template that takes its time delays only those in the same thread. */
  threads?: number;
  script?: URL;
}

const tooLong: LiquidReply = { fault: { kind: 'cost', reason: 'it takes too much time' } };
const tooLarge: LiquidReply = { fault: { kind: 'cost', reason: 'it takes too much memory' } };

const createRunners = ({ threads = 2, script, clockOf, limits = {} }: LiquidOptions): Runner[] => {
  if (isSource && !script) return [createInPlace(createEngine({ steps: limits.steps ?? usual.steps }))];
  const file = script ?? new URL('./liquid-thread.js', import.meta.url);
  const { steps, made, ...bounds } = limits;
  const data: EngineOptions = { ...(steps !== undefined && { steps }), ...(made !== undefined && { made }) };
  const options = { script: file, data, limits: { ...usual, ...bounds }, tooLong, tooLarge };
  return Array.from({ length: threads }, () =>
    createRunner<LiquidJob, LiquidReply>({ ...options, ...(clockOf && { clockOf }) }),
  );
};

const notRendered: TemplateFault = { kind: 'value', reason: 'the template was not rendered' };

const createTemplates = (run: Runner['run'], onSpent?: OnSpent) => {
  const replyTo = async (job: LiquidJob): Promise<LiquidReply> => {
    const { reply, cpuMs } = await run(job);
    onSpent?.(cpuMs);
    return reply;
  };

  const renderSome = async (series: Series): Promise<Some> => {
    const reply = await replyTo({ series });
    if ('rendered' in reply) return reply;
    const fault = 'fault' in reply ? reply.fault : notRendered;
    const [first, ...others] = series.variables;
    // The thread was ended, and nobody knows for whom it was too much.
    if (first && others.length > 0) {
      const { rendered, steps } = await renderSome({ ...series, variables: [first] });
      return { rendered, steps: steps + usual.steps };
    }
    return { rendered: [fault], steps: usual.steps };
  };

  return {
    /** The first people of a series; whoever is not among them is asked for again. */
    renderSome,
    /** What is wrong with the content, and which blocks it includes. */
    async check(content: string): Promise<Checked> {
      const reply = await replyTo({ content });
      if ('checked' in reply) return reply.checked;
      return {
        faults: 'fault' in reply ? [reply.fault] : [],
        includes: [],
        centers: [],
        states: [],
        names: [],
      };
    },
    /** Throws a LiquidFault. */
    async render(template: Template): Promise<string> {
      const reply = await replyTo({ template });
      if ('text' in reply) return reply.text;
      throw new LiquidFault('fault' in reply ? reply.fault : { kind: 'value', reason: 'no text' });
    },
  };
};

export type Templates = ReturnType<typeof createTemplates>;

export const openLiquid = (options: LiquidOptions = {}) => {
  const runners = createRunners(options);
  const inTurn = createInTurn(runners);
  const runFor =
    (owner: string): Runner['run'] =>
    (job) =>
      inTurn(owner, ({ run }) => run(job));
  return {
    ...createTemplates(runFor('')),
    /** The same threads, in turn with other owners; the CPU time of each template is reported, so that it can be charged. */
    metered: (onSpent: OnSpent, owner = ''): Templates => createTemplates(runFor(owner), onSpent),
    async close(): Promise<void> {
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
};

export type Liquid = ReturnType<typeof openLiquid>;
