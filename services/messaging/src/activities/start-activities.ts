/** Finds live activities with an update that is not sent yet: of each one after the other, and a busy workspace holds up no other one. */
import { startLooking } from '@roster/batch';
import type { ActivityDocument } from '@roster/store';
import { createSendUpdate, type SendOptions } from './send-update.ts';

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

export interface ActivityOptions extends SendOptions, ActivityTimes {
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
