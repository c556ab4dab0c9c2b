/** Finds live activities with an update that is not sent yet: of each one after the other, and a busy workspace holds up no other one. */
import { startLooking } from '@roster/batch';
import type { Answer } from '@roster/channels';
import type { ActivityDocument, Store } from '@roster/store';
import { inParallel } from '../sending/in-parallel.ts';
import type { Hand } from '../sending/send-one.ts';
import { contentIn } from './content.ts';
import { createWriteTold, doneIn, livesMs, type ToldDevice, type Update } from './results.ts';

/** Devices and channels. */
const atOnce = 20;

/** What can't be sent now may be sent later. */
const later = (): Answer => ({ state: 'later', reason: 'sender_failed' });

const overdue: Answer = { state: 'later', reason: 'busy', unbegun: true };

const keyless: Answer = { state: 'refused', reason: 'no_credentials' };

/** However long it takes. */
const until = Number.POSITIVE_INFINITY;

/** What a broadcast says besides: until when APNs stores it for phones that are away, if the channel stores. The same each time it is tried. */
const broadcastOf = ({ channel }: ToldDevice, { at }: Update) =>
  channel !== undefined && {
    broadcast: true,
    expiration: channel === 'storing' ? Math.floor((at / 1000 + livesMs) / 1000) : 0,
  };

/** Sends the last update of a live activity to the devices and broadcast channels that do not have it, and writes down what became of it. */
const createSendUpdate = ({ store, hand, onTold }: Pick<ActivityOptions, 'store' | 'hand' | 'onTold'>) => {
  const write = createWriteTold(store);

  return async (activity: ActivityDocument, mayBegin: () => boolean): Promise<void> => {
    const { ws, app, update, devices } = activity;
    if (!update) return;
    const has = new Set(doneIn(update).map(({ token }) => token));
    const left = devices.filter(({ token }) => !has.has(token));
    const told = left.map((one): ToldDevice => ({ ...one, answer: overdue }));
    const content = { ...contentIn(update.content), app_id: app };
    await inParallel(told, atOnce, async (one) => {
      const message = {
        id: `${update.request}/${one.token}`,
        person: '',
        content: { ...content, ...broadcastOf(one, update) },
        until,
      };
      if (!mayBegin()) return;
      const answer = await hand(ws, 'live_activity', { to: one.token }, message).catch(later);
      one.answer = answer && answer.state !== 'unsent' ? answer : keyless;
    });
    for (const { answer } of told) onTold(answer.state === 'later' ? 'waiting' : answer.state);
    await write({ activity, update }, told);
  };
};

/** Under way: in all, and of one workspace. */
const most = { activities: 64, ofWorkspace: 32 };

/** Longer than all that one takes. A process that dies leaves its activities to others then: a device knows an update that comes twice by its id. */
const usualBusyMs = 120_000;

/** For tests, which do not wait two minutes. */
export interface ActivityTimes {
  busyMs?: number;
  /** What begins later could come after a send of the process that takes the activity next. */
  beginsWithinMs?: number;
}

export interface ActivityOptions extends ActivityTimes {
  store: Store;
  hand: Hand;
  /** Of each device and try. */
  onTold(state: string): void;
  onError(error: unknown): void;
}

export const startActivities = ({ onError, ...options }: ActivityOptions) => {
  const { busyMs = usualBusyMs, beginsWithinMs = busyMs / 2 } = options;
  const { activities } = options.store.messages;
  const send = createSendUpdate(options);
  const under: string[] = [];

  const fullWorkspaces = (): string[] =>
    [...new Set(under)].filter((ws) => under.filter((one) => one === ws).length >= most.ofWorkspace);

  const take = (now: Date): Promise<ActivityDocument | null> =>
    activities.findOneAndUpdate(
      {
        due: { $lte: now },
        $or: [{ busy: { $exists: false } }, { busy: { $lte: now } }],
        ws: { $nin: fullWorkspaces() },
      },
      { $set: { busy: new Date(now.getTime() + busyMs) } },
      { sort: { due: 1 }, returnDocument: 'after' },
    );

  const run = async (activity: ActivityDocument, taken: Date): Promise<void> => {
    under.push(activity.ws);
    const mayBegin = () => Date.now() - taken.getTime() < beginsWithinMs;
    await send(activity, mayBegin).catch(onError);
    under.splice(under.indexOf(activity.ws), 1);
    looking.wake();
  };

  const look = async (isStopped: () => boolean): Promise<void> => {
    while (under.length < most.activities && !isStopped()) {
      const taken = new Date();
      const activity = await take(taken);
      if (!activity) return;
      void run(activity, taken);
    }
  };

  const looking = startLooking({ look, onError, under });
  return { stop: looking.stop };
};
