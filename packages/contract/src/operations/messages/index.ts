/** Messages that are sent at a time, and what became of them. */

import { activityRegister, activityUpdate } from './live-activity.ts';
import { activityStart } from './live-activity-start.ts';
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
  activityStart,
  activityUpdate,
] as const;
