/** Messages that are sent at a time, and what became of them. */
import { contentCardsGet, scheduledBroadcasts, scheduleGet, sendsGet } from './reads.ts';
import { scheduleCreate, scheduleDelete, scheduleUpdate } from './schedules.ts';
import { messagesSend } from './send.ts';

export const messageOperations = [
  messagesSend,
  scheduleCreate,
  scheduleUpdate,
  scheduleDelete,
  scheduledBroadcasts,
  scheduleGet,
  sendsGet,
  contentCardsGet,
] as const;
