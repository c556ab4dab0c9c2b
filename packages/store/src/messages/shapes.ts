/** The shapes of what is to be sent: see ../shapes.ts. */
import { type Definition, date, flag, list, mark, number, optional, part, text, textOf } from '../paths.ts';
import type {
  ActivityDeviceDocument,
  ActivityDocument,
  ActivityUpdateDocument,
  DeliveryDocument,
  LaneDocument,
  Planned,
  ScheduleDocument,
  SendCounts,
  SendDocument,
} from './documents.ts';

const channel = textOf({
  ios_push: 'ios_push',
  droid_push: 'droid_push',
  web_push: 'web_push',
  email: 'email',
  sms: 'sms',
  whats_app: 'whats_app',
  webhook: 'webhook',
  content_card: 'content_card',
  live_activity: 'live_activity',
});

const planned: Definition<Planned> = {
  ws: text,
  recipients: text,
  time: text,
  in_local_time: optional(mark),
  at_optimal_time: optional(mark),
  created: number,
};

const schedules: Definition<ScheduleDocument> = {
  ...planned,
  _id: text,
  dispatch: text,
  listed: optional(list(text)),
  messages: text,
  includes: optional(list(text)),
  size: number,
  broadcast: optional(mark),
  state: textOf({
    waiting: 'waiting',
    sending: 'sending',
    sent: 'sent',
    missed: 'missed',
    cancelled: 'cancelled',
    stopped: 'stopped',
    failed: 'failed',
  }),
  reason: optional(text),
  due: optional(date),
  changed: number,
  by: optional(text),
  open: optional(number),
  ended: optional(date),
  expires: optional(date),
};

const counts: Definition<SendCounts> = {
  waiting: number,
  sending: number,
  sent: number,
  refused: number,
  skipped: number,
  unknown: number,
};

const deliveries: Definition<DeliveryDocument> = {
  ...planned,
  _id: text,
  lane: text,
  dispatch: text,
  schedule: text,
  channel,
  message: text,
  due: optional(date),
  taker: optional(text),
  taken: optional(number),
  wake: optional(date),
  halted: optional(textOf({ stopped: 'stopped', failed: 'failed' })),
  cursor: optional(text),
  read: flag,
  fence: optional(number),
  merged: optional(mark),
  counts: part(counts),
  began: date,
  planned: date,
  ended: optional(date),
  expires: optional(date),
};

const sends: Definition<SendDocument> = {
  _id: text,
  ws: text,
  delivery: text,
  profile: text,
  channel,
  state: textOf({
    waiting: 'waiting',
    sending: 'sending',
    sent: 'sent',
    refused: 'refused',
    skipped: 'skipped',
    unknown: 'unknown',
  }),
  reason: optional(text),
  provider: optional(text),
  at: date,
  due: optional(date),
  tries: number,
  devices: optional(list(text)),
  outbox: optional(text),
  expires: date,
};

const lanes: Definition<LaneDocument> = { _id: text, turns: number };

const device: Definition<ActivityDeviceDocument> = { token: text, since: date };

const update: Definition<ActivityUpdateDocument> = {
  request: text,
  at: number,
  content: text,
  tries: number,
  done: text,
};

const activities: Definition<ActivityDocument> = {
  _id: text,
  ws: text,
  app: text,
  devices: list(part(device)),
  update: optional(part(update)),
  ended: optional(flag),
  due: optional(date),
  busy: optional(date),
  expires: date,
};

export const messageShapes = { schedules, deliveries, sends, lanes, activities } as const;
