// Workers to which a request does what its text says, as soon as it is at work.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchWorkerOptions, createBatchWorker } from '@roster/queue';
import mongoose from 'mongoose';

type Request = Parameters<BatchWorkerOptions['apply']>[0][number];

const lingering = new AsyncLocalStorage<boolean>();

const lingersMs = 30_000;

/** Asks one small question after the other, inside of the transaction. */
const letThemLinger = (): void => {
  const { prototype } = mongoose.mongo.Collection;
  const { insertMany } = prototype;
  prototype.insertMany = async function (docs, options) {
    const until = performance.now() + (lingering.getStore() ? lingersMs : 0);
    while (performance.now() < until) {
      await this.findOne({ _id: 'nobody' as never }, options?.session ? { session: options.session } : {});
      await sleep(100);
    }
    return insertMany.call(this, docs, options);
  };
};

const eat = (): void => {
  for (const all: number[][] = []; ; ) all.push(new Array<number>(500_000).fill(all.length));
};

export const deeds: Record<string, () => void> = {
  blocks() {
    for (;;) Math.sqrt(2);
  },
  eats: eat,
  exits: () => process.exit(1),
  dies: () => process.kill(process.pid, 'SIGKILL'),
  throws() {
    throw new Error('injected: never');
  },
};

const kindOf = ({ body, params }: Request): string | undefined =>
  /culprit-([a-z]+)/.exec(JSON.stringify([body, params]))?.[1];

let canLinger = false;

/** As the services make their workers. */
export const withCulprits: typeof createBatchWorker = (options) => {
  if (!canLinger) letThemLinger();
  canLinger = true;
  return createBatchWorker({
    ...options,
    async apply(requests, ...more) {
      const kinds = requests.map(kindOf);
      const deed = (): void => {
        for (const kind of kinds) deeds[kind ?? '']?.();
      };
      await (options.computing ? options.computing.on(requests, deed) : deed());
      return lingering.run(kinds.includes('lingers'), () => options.apply(requests, ...more));
    },
  });
};
