// Fires schedules without a transaction: what is read may have changed by the time at which it is written.
import { createFire, startSender } from '@roster/messaging-service';
import { run } from '@roster/runtime';
import { sleep } from '../harness/wait.ts';

const pauseMs = 100;

type Fire = typeof createFire;

const hasty: Fire = ({ store, settingsOf }) =>
  createFire({
    store: { ...store, transact: (work) => work(undefined as never, 1) },
    async settingsOf(ws) {
      await sleep(pauseMs);
      return settingsOf(ws);
    },
  });

await run('sender', (context) => startSender(context, { fire: hasty }));
