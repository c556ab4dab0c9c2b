import { createFire, liftLimits, startMessaging, startPages, startSender } from '@roster/messaging-service';
import { environment, loadConfig, serviceConfigs } from '@roster/runtime';
import { sleep } from '../harness/wait.ts';
import { forgetDeliveries, openSenderCulprits } from './parts/sender-culprits.ts';
import { after, exchanging, runVariant, type Variants } from './parts/variant.ts';

const by = exchanging(startSender);

const hastyFire: typeof createFire = ({ store, settingsOf }) =>
  createFire({
    store: { ...store, transact: (work) => work(undefined as never, 1) },
    async settingsOf(ws) {
      await sleep(100);
      return settingsOf(ws);
    },
  });

const culprits = after(openSenderCulprits, by({ lostAfterMs: 10_000 }));

const together: Variants<'sender'>[string] = async (context) => {
  const config = loadConfig(serviceConfigs.pages, environment());
  const all = await Promise.all([
    startPages({ ...context, config }),
    startMessaging(context),
    startSender(context),
  ]);
  return {
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
};

await runVariant('sender', {
  culprits,
  /** Forgets at every start which deliveries were at work when a process ended. */
  'culprits-forgetful': after(forgetDeliveries, culprits),
  /** Whatever is being sent of a live activity is taken once more, and sent however late. */
  grabbing: by({ activities: { busyMs: 0, beginsWithinMs: Number.POSITIVE_INFINITY } }),
  /** Fires schedules without a transaction: what is read may have changed by the time at which it is written. */
  hasty: by({ fire: hastyFire }),
  /** No transaction may take longer than half a second, whatever is left to be done in it. */
  hurried: by({ transact: (usual) => (work, options) => usual(work, { ...options, limitMs: 500 }) }),
  /** What a killed process was sending is given up after seconds instead of a minute, so that a trial need not wait for it. */
  impatient: by({ lostAfterMs: 5_000, activities: { busyMs: 5_000 } }),
  /** One workspace may have all look-ups of names that are under way: so few that a trial need not name hundreds of hosts a second. */
  'sharing-no-names': by({ names: { inAll: 2, ofWorkspace: 2 } }),
  /** Looks for what is due every two minutes, instead of four times in a second. */
  sleepy: by({ lostAfterMs: 5_000, lookEveryMs: 120_000 }),
  /** The interface, the pages and the sending in one process, as they once were: what holds one of them holds all. */
  together,
  /** Without a bound on what a message or an audience costs, and without a price: nobody pays for looking through an audience. */
  unbounded: after(liftLimits, by({ scanBudget: { pay: async () => true, owe: async () => {} } })),
});
