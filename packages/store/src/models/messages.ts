/** Schedules, deliveries, sends and live activities. */
import { atExpiry, by, collection, type DocumentIn, partialBy } from './collection.ts';
import { date, each, flag, list, mark, number, optional, part, text, textOf } from './members.ts';

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

/** Members that a schedule and its deliveries share. */
const planned = {
  ws: text,
  /** The recipients: JSON text, because callers choose the names in it. See `Recipients` in packages/contract. */
  recipients: text,
  /** The time, as it was sent. */
  time: text,
  in_local_time: optional(mark),
  at_optimal_time: optional(mark),
  /** Stamp of the creation of the schedule. */
  created: number,
};

export const schedules = collection(
  () => ({
    ...planned,
    _id: text,
    /** The id of what is sent. */
    dispatch: text,
    /**
     * The users that `recipients` names, as the digests of tombstones: the schedule is found by them when one of the users is erased, also by a
     * name that a user lost.
     */
    listed: optional(list(text)),
    /** By channel: JSON text. */
    messages: text,
    /** Names of the content blocks that the messages include; absent where there is none. */
    includes: optional(list(text)),
    /** The approximate bytes of its texts. */
    size: number,
    /** For all people of an audience. */
    broadcast: optional(mark),
    /** `sending`: its deliveries tell the progress. `stopped` and `failed`: its deliveries are halted. */
    state: textOf('waiting', 'sending', 'sent', 'missed', 'cancelled', 'stopped', 'failed'),
    /** Why it failed. */
    reason: optional(text),
    /** While it waits: when the first people get it. */
    due: optional(date),
    /** Stamp of its last change, and the id of the key that made it. */
    changed: number,
    by: optional(text),
    /** The number of its deliveries that are not over; without any left the schedule is sent. */
    open: optional(number),
    ended: optional(date),
    /** Removed by a TTL index from then on. */
    expires: optional(date),
  }),
  {
    by_due: partialBy(['due'], 'The schedules that are due.'),
    by_workspace: partialBy(
      ['ws', 'due', 'size'],
      'How many schedules of a workspace wait, and their size.',
      'due',
    ),
    by_broadcast: {
      key: { ws: 1, due: 1 },
      options: { partialFilterExpression: { broadcast: true, due: { $exists: true } } },
      reason: 'The broadcasts that a workspace has planned.',
    },
    by_dispatch: by(['dispatch'], 'A schedule by what is sent: also one that has no deliveries.'),
    by_unsent: {
      key: { ws: 1, ended: -1 },
      options: { partialFilterExpression: { state: { $in: ['missed', 'cancelled'] } } },
      reason: 'The schedules of a workspace that ended without deliveries: roster sends planned.',
    },
    by_listed: partialBy(['listed'], 'The schedules that name a person who is erased.'),
    by_inclusion: partialBy(
      ['ws', 'includes', 'state'],
      'Which schedules include a content block: whether it may be deleted.',
      'includes',
    ),
    by_expiry: atExpiry('Removes schedules that are over.'),
  },
);

/** Messages that are sent at a time. */
export interface ScheduleDocument extends DocumentIn<typeof schedules> {}

const states = ['waiting', 'sending', 'sent', 'refused', 'skipped', 'unknown'] as const;

/** How many recipients are in each state. */
const counts = each(states, number);

/** Why a delivery ends early: somebody stopped it, or it ended the processes that sent it. */
export type Halted = 'stopped' | 'failed';

export const deliveries = collection(
  () => ({
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
    /**
     * When its next step is due; absent once it is over. A process that takes it moves this time on, so that another process continues when it
     * dies.
     */
    due: optional(date),
    /** The process that took it last: only this one may continue from its cursor. */
    taker: optional(text),
    /** How many turns in a row took it and did not end. From 1 on it is a suspect: see sending/suspects.ts. */
    taken: optional(number),
    /** How many processes have ended with it in all, as far as a turn has ended well since. */
    ends: optional(number),
    /** Turns that have ended well since the last of these, while it is still a suspect. */
    good: optional(number),
    /** Until the end of the turn that has it: when rows that other turns gave back are due. */
    wake: optional(date),
    /** No more messages are sent: waiting recipients are skipped, with this reason. */
    halted: optional(textOf<Halted>('stopped', 'failed')),
    /** The audience was read up to this service id; absent before the first page. */
    cursor: optional(text),
    /** All of the audience was read. */
    read: flag,
    /**
     * A stamp: everything accepted before it is applied before the first message. It is taken when the delivery falls due and does not change
     * until it is reached.
     */
    fence: optional(number),
    /** A recipient with a row may come on a later page again: people were merged while they waited. */
    merged: optional(mark),
    counts: part(counts),
    /** Of those that are sent: for how many there was no provider, so that nothing left. */
    kept: optional(number),
    began: date,
    /** The planned time; with local times the first of them. */
    planned: date,
    ended: optional(date),
    expires: optional(date),
  }),
  {
    by_lane: partialBy(['lane', 'due'], 'The deliveries that have something to do, lane by lane.'),
    by_taken: {
      key: { due: 1, taken: 1 },
      options: { partialFilterExpression: { taken: { $gte: 1 }, due: { $exists: true } } },
      reason: 'Deliveries that may have ended the process that sent them.',
    },
    by_halted: {
      key: { due: 1, halted: 1 },
      options: { partialFilterExpression: { halted: { $exists: true }, due: { $exists: true } } },
      reason: 'Deliveries that were stopped, until they are over.',
    },
    by_begin: {
      key: { ws: 1, began: -1 },
      reason: 'The last deliveries of a workspace: roster sends list.',
    },
    by_expiry: atExpiry('Removes deliveries with their schedules.'),
  },
);

/** One channel of a schedule that is due. It is made when the schedule fires, so later changes of the schedule don't affect it. */
export interface DeliveryDocument extends DocumentIn<typeof deliveries> {}

/**
 * A lane of a workspace with a frequency cap. Each turn that claims messages for people writes it, so of two turns at once one is repeated:
 * see sending/caps.ts.
 */
export const lanes = collection(() => ({ _id: text, turns: number }));

/** A device that shows a live activity, or a broadcast channel to which devices listen. */
const device = {
  /** Of a broadcast channel: its id at APNs. */
  token: text,
  /** It is a broadcast channel, and whether APNs stores its newest update for phones that are away. */
  channel: optional(textOf('plain', 'storing')),
  /** When we received the token. */
  since: date,
};

const update = {
  /** The request whose outcome holds the results. */
  request: text,
  at: number,
  /** JSON text. */
  content: text,
  tries: number,
  /** The results of devices that need no other try: JSON text. */
  done: text,
};

export const activities = collection(
  () => ({
    /** Workspace, app and activity. */
    _id: text,
    ws: text,
    app: text,
    /** The latest are last. */
    devices: list(part(device)),
    /** The newest update: the content that the devices should show. */
    update: optional(part(update)),
    /** The newest update ended it. */
    ended: optional(flag),
    /** Until the update is sent everywhere: when the next try is due. */
    due: optional(date),
    /** A process is sending it until then, and no other process does. */
    busy: optional(date),
    expires: date,
  }),
  {
    by_due: partialBy(['due', 'ws'], 'Live activities with an update that is not sent yet.', 'due'),
    by_workspace: by(['ws'], 'How many live activities a workspace has.'),
    by_expiry: atExpiry('Removes live activities that nobody can show any more.'),
  },
);

/** A live activity of an app. */
export interface ActivityDocument extends DocumentIn<typeof activities> {}

export const sends = collection(
  () => ({
    /** Dispatch, channel and service id. */
    _id: text,
    ws: text,
    delivery: text,
    /** Empty in the row of a listed name. */
    profile: text,
    /** The identity key of a listed name that is not the row of a person: nobody has it, or the person has a row already. */
    named: optional(text),
    channel,
    state: textOf(...states),
    /** Why it was refused or skipped, or is unknown. */
    reason: optional(text),
    /** What the provider said, without its secrets: for operators alone. */
    words: optional(text),
    /** The provider's id of it. */
    provider: optional(text),
    /** The time of its last state. */
    at: date,
    /** While it waits: when the next try is due. */
    due: optional(date),
    /** The number of tries, the current one included. */
    tries: number,
    /** When a pause of its provider first kept it from being tried. */
    paused: optional(date),
    /** Short names of the devices that have it, if another try leaves them out. */
    devices: optional(list(text)),
    /** There was no provider: nothing left. */
    stored: optional(mark),
    /** What is stored instead of being sent, as JSON text: a content card, or a message without a provider. */
    outbox: optional(text),
    expires: date,
  }),
  {
    by_due: partialBy(
      ['delivery', 'due'],
      'The recipients of a delivery who get it later, or are tried again.',
    ),
    by_sending: {
      key: { delivery: 1, at: 1 },
      options: { partialFilterExpression: { state: 'sending' } },
      reason: 'What a process was sending when it died.',
    },
    by_profile: by(
      ['profile', 'expires'],
      'What a person got, in the order of its beginning: content cards, frequency caps, and all of it when they are erased. No change of the row touches it.',
    ),
    by_expiry: atExpiry('Removes what became of recipients when it can be asked for no more.'),
  },
);

/** One recipient of a delivery. */
export interface SendDocument extends DocumentIn<typeof sends> {}
