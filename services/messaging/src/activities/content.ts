/** What the devices get of an update: see live-message.ts of packages/channels. */
import { type ActivityUpdate, parseTime } from '@roster/contract';

const secondsOf = (time: string | undefined): number | undefined => {
  const ms = time === undefined ? undefined : parseTime(time);
  return ms === undefined ? undefined : Math.floor(ms / 1000);
};

/** `at` in microseconds: by its seconds devices know which of two updates is the later one. */
export const contentOf = (update: ActivityUpdate, at: number): Record<string, unknown> => {
  const { content_state, end_activity = false, notification } = update;
  const push = notification?.ios_push ?? notification;
  const [stale, dismissal] = [secondsOf(update.stale_date), secondsOf(update.dismissal_date)];
  return {
    event: end_activity ? 'end' : 'update',
    timestamp: Math.floor(at / 1_000_000),
    content_state,
    ...(stale !== undefined && { stale_date: stale }),
    ...(end_activity && dismissal !== undefined && { dismissal_date: dismissal }),
    ...(push?.alert !== undefined && { alert: push.alert }),
    ...(push?.relevance_score !== undefined && { relevance_score: push.relevance_score }),
    // APNs gives an app few pushes of priority 10, and any number of priority 5.
    priority: push?.alert !== undefined && push['content-available'] !== true ? 10 : 5,
  };
};
