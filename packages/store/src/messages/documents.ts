/** What is to be sent, and what became of it. */
import {
  type DocumentOf,
  date,
  each,
  flag,
  list,
  mark,
  number,
  optional,
  part,
  text,
  textOf,
} from '../shapes/paths.ts';

const channels = [
  'ios_push',
  'droid_push',
  'web_push',
  'email',
  'sms',
  'whats_app',
  'webhook',
  'content_card',
  'live_activity',
] as const;

export type Channel = (typeof channels)[number];

const channel = textOf(...channels);

/** What a schedule and the deliveries made of it say alike. */
const planned = {
  ws: text,
  /** Who gets it: JSON text, as callers choose the names in it. See `Recipients` in packages/contract. */
  recipients: text,
  /** When: as it was sent. */
  time: text,
  in_local_time: optional(mark),
  at_optimal_time: optional(mark),
  /** Stamp of the creation of the schedule. */
  created: number,
};

const schedules = {
  ...planned,
  _id: text,
  /** What is sent stands under it. */
  dispatch: text,
  /** The users that `recipients` names, as the digests of tombstones: so it is found when one of them is erased, also by a name that they lost. */
  listed: optional(list(text)),
  /** By channel: JSON text. */
  messages: text,
  /** Names of the content blocks that the messages include; absent where there is none. */
  includes: optional(list(text)),
  /** Of its texts, about. */
  size: number,
  /** It is meant for all of an audience. */
  broadcast: optional(mark),
  /** `sending`: its deliveries say how far they are. `stopped` and `failed`: so they are halted. */
  state: textOf('waiting', 'sending', 'sent', 'missed', 'cancelled', 'stopped', 'failed'),
  /** Why it failed. */
  reason: optional(text),
  /** While it waits: when the first people get it. */
  due: optional(date),
  /** Stamp of its last change, and the id of the key that made it. */
  changed: number,
  by: optional(text),
  /** Its deliveries that are not over; none is left when it is sent. */
  open: optional(number),
  ended: optional(date),
  /** Removed by a TTL index from then on. */
  expires: optional(date),
};

/** Messages that are sent at a time. */
export type ScheduleDocument = DocumentOf<typeof schedules>;

const states = ['waiting', 'sending', 'sent', 'refused', 'skipped', 'unknown'] as const;

const counts = each(states, number);

/** How many recipients are in each state. */
export type SendCounts = DocumentOf<typeof counts>;

/** Why a delivery ends before everybody was sent to: somebody stopped it, or it ended the processes that sent it. */
export type Halted = 'stopped' | 'failed';

const deliveries = {
  ...planned,
  /** Dispatch and channel. */
  _id: text,
  /** Workspace and channel: deliveries of one lane take turns. */
  lane: text,
  dispatch: text,
  schedule: text,
  channel,
  /** JSON text. */
  message: text,
  /** When there is something to do next; absent once it is over. A process that takes it moves this on, so that another goes on when it dies. */
  due: optional(date),
  /** Who took it last: only that one may go on from its cursor. */
  taker: optional(text),
  /** How many turns in a row took it without coming to an end: from 1 on it may be what ended their process. See sending/suspects.ts. */
  taken: optional(number),
  /** Until a turn that has it comes to its end: when rows are due that results of other turns have given back. */
  wake: optional(date),
  /** Nobody else is sent to: who waits is skipped, with this as the reason. */
  halted: optional(textOf<Halted>('stopped', 'failed')),
  /** The audience was read up to this service id; absent before the first page. */
  cursor: optional(text),
  /** All of the audience was read. */
  read: flag,
  /** A stamp: what was accepted before it is applied before anybody is sent to. It is taken when the delivery falls due, and stays the same until it is reached. */
  fence: optional(number),
  /** Somebody has a row who may come on a later page too: people were merged while they waited. */
  merged: optional(mark),
  counts: part(counts),
  began: date,
  /** When it was planned for; of local times the first of them. */
  planned: date,
  ended: optional(date),
  expires: optional(date),
};

/** One channel of a schedule that is due: made when it fires, so that later changes of the schedule don't touch it. */
export type DeliveryDocument = DocumentOf<typeof deliveries>;

/** A lane of a workspace with a frequency cap. Each turn that claims messages for people writes it, so of two at once one is tried again: see sending/caps.ts. */
const lanes = { _id: text, turns: number };

/** A device that shows a live activity. */
const device = {
  token: text,
  /** When we got the token. */
  since: date,
};

const update = {
  /** The request, whose outcome tells what became of it. */
  request: text,
  at: number,
  /** JSON text. */
  content: text,
  tries: number,
  /** What became of it at the devices that need no other try: JSON text. */
  done: text,
};

const activities = {
  /** Workspace, app and activity. */
  _id: text,
  ws: text,
  app: text,
  /** The latest are at the end. */
  devices: list(part(device)),
  /** The newest update: what the devices should show. */
  update: optional(part(update)),
  /** The newest update ended it. */
  ended: optional(flag),
  /** While the update is not sent everywhere: when it is tried. */
  due: optional(date),
  /** A process is sending it until then: nobody else does. */
  busy: optional(date),
  expires: date,
};

/** A live activity of an app. */
export type ActivityDocument = DocumentOf<typeof activities>;

const sends = {
  /** Dispatch, channel and service id. */
  _id: text,
  ws: text,
  delivery: text,
  profile: text,
  channel,
  state: textOf(...states),
  /** Why it was refused or skipped, or is unknown. */
  reason: optional(text),
  /** Its id at the provider. */
  provider: optional(text),
  /** Of its last state. */
  at: date,
  /** While it waits: when it is tried. */
  due: optional(date),
  /** Counts how often it was sent or is being sent. */
  tries: number,
  /** Short names of the devices that have it, where another try leaves them out. */
  devices: optional(list(text)),
  /** What was kept instead of being sent, as JSON text: a content card, or what has no provider. */
  outbox: optional(text),
  expires: date,
};

/** One recipient of a delivery. */
export type SendDocument = DocumentOf<typeof sends>;

export const messageShapes = { schedules, deliveries, sends, lanes, activities };
