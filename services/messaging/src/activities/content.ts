/** What the devices get of an update: see live-message.ts of packages/channels. */
import { type ActivityStart, type ActivityUpdate, parseTime } from '@roster/contract';

type Content = Record<string, unknown>;

const secondsOf = (time: string | undefined): number | undefined => {
  const ms = time === undefined ? undefined : parseTime(time);
  return ms === undefined ? undefined : Math.floor(ms / 1000);
};

/** `at` in microseconds: by it devices know which of two requests is the later one. */
const sharedOf = (
  {
    content_state,
    stale_date,
    notification,
  }: Pick<ActivityUpdate, 'content_state' | 'stale_date' | 'notification'>,
  at: number,
): Content => {
  const push = notification?.ios_push ?? notification;
  const stale = secondsOf(stale_date);
  return {
    timestamp: Math.floor(at / 1_000_000),
    content_state,
    ...(stale !== undefined && { stale_date: stale }),
    ...(push?.alert !== undefined && { alert: push.alert }),
    priority: push?.['content-available'] === true ? 5 : 10,
  };
};

const dismissalOf = (dismissal_date: string | undefined): Content => {
  const dismissal = secondsOf(dismissal_date);
  return dismissal === undefined ? {} : { dismissal_date: dismissal };
};

export const contentOfUpdate = (update: ActivityUpdate, at: number): Content => ({
  event: update.end_activity ? 'end' : 'update',
  ...sharedOf(update, at),
  ...(update.end_activity && dismissalOf(update.dismissal_date)),
});

export const contentOfStart = (start: ActivityStart, at: number): Content => ({
  event: 'start',
  ...sharedOf(start, at),
  ...dismissalOf(start.dismissal_date),
  app_id: start.app_id,
  activity_attributes_type: start.activity_attributes_type,
  activity_attributes: start.activity_attributes,
});
