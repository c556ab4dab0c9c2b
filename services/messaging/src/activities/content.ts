/** What the devices get of a start or an update: see apple-message.ts of packages/channels. */
import { type ActivityStart, type BodyFor, parseExact, parseTime, present } from '@roster/contract';
import type { Content as WrittenContent } from '../sending/texts.ts';

type Content = Record<string, unknown>;
type Update = BodyFor<'messages.live_activity.update'>;

const secondsOf = (time: string | undefined): number | undefined => {
  const ms = time === undefined ? undefined : parseTime(time);
  return ms === undefined ? undefined : Math.floor(ms / 1000);
};

/** `at` in microseconds: by its seconds devices know which of two is the later one. */
const sharedOf = (
  { content_state, notification, stale_date }: Pick<Update, 'content_state' | 'notification' | 'stale_date'>,
  at: number,
): Content => {
  const push = notification?.ios_push ?? notification;
  return {
    timestamp: Math.floor(at / 1_000_000),
    content_state,
    ...present({
      stale_date: secondsOf(stale_date),
      alert: push?.alert,
      relevance_score: push?.relevance_score,
    }),
    // APNs gives an app few pushes of priority 10, and any number of priority 5.
    priority: push?.alert !== undefined && push['content-available'] !== true ? 10 : 5,
  };
};

const dismissalIn = ({ dismissal_date }: Pick<Update, 'dismissal_date'>): Content =>
  present({ dismissal_date: secondsOf(dismissal_date) });

export const contentIn = (stored: string): WrittenContent => parseExact(stored) as WrittenContent;

export const contentOfUpdate = (update: Update, at: number): Content => ({
  event: update.end_activity ? 'end' : 'update',
  ...sharedOf(update, at),
  ...(update.end_activity && dismissalIn(update)),
});

export const contentOfStart = (start: ActivityStart, at: number): Content => ({
  event: 'start',
  ...sharedOf(start, at),
  ...dismissalIn(start),
  app_id: start.app_id,
  activity_attributes_type: start.activity_attributes_type,
  activity_attributes: start.activity_attributes,
});
