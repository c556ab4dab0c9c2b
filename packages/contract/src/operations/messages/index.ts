/** Messages that are sent at a time, and what became of them. */
import { activityGet, activityRegister, activityUpdate } from './live-activity.ts';
import { contentCardsGet, scheduledBroadcasts, scheduleGet, sendsGet } from './reads.ts';
import { scheduleCreate, scheduleDelete, scheduleUpdate } from './schedules.ts';

export const messageOperations = [
  scheduleCreate,
  scheduleUpdate,
  scheduleDelete,
  scheduledBroadcasts,
  scheduleGet,
  sendsGet,
  contentCardsGet,
  activityRegister,
  activityUpdate,
  activityGet,
] as const;
