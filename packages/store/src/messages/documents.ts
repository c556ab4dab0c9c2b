/** What is to be sent, and what became of it. */

export type Channel =
  | 'ios_push'
  | 'droid_push'
  | 'web_push'
  | 'email'
  | 'sms'
  | 'whats_app'
  | 'webhook'
  | 'content_card'
  | 'live_activity';

/** @public The declarations of open-store.ts name it. What a schedule and the deliveries made of it say alike. */
export interface Planned {
  ws: string;
  /** Who gets it: JSON text, as callers choose the names in it. See `Recipients` in packages/contract. */
  recipients: string;
  /** When: as it was sent. */
  time: string;
  in_local_time?: true;
  at_optimal_time?: true;
  /** Stamp of the creation of the schedule. */
  created: number;
}

/** Messages that are sent at a time. */
export interface ScheduleDocument extends Planned {
  _id: string;
  /** What is sent stands under it. */
  dispatch: string;
  /** Identity keys of the users that `recipients` names: so it is found when one of them is erased. */
  listed?: string[];
  /** By channel: JSON text. */
  messages: string;
  /** Names of the content blocks that the messages include; absent where there is none. */
  includes?: string[];
  /** Of its texts, about. */
  size: number;
  /** It is meant for all of an audience. */
  broadcast?: true;
  /** `sending`: its deliveries say how far they are. `stopped` and `failed`: so they are halted. */
  state: 'waiting' | 'sending' | 'sent' | 'missed' | 'cancelled' | 'stopped' | 'failed';
  /** Why it failed. */
  reason?: string;
  /** While it waits: when the first people get it. */
  due?: Date;
  /** Stamp of its last change, and the id of the key that made it. */
  changed: number;
  by?: string;
  /** Its deliveries that are not over; none is left when it is sent. */
  open?: number;
  ended?: Date;
  /** Removed by a TTL index from then on. */
  expires?: Date;
}

/** How many recipients are in each state. */
export interface SendCounts {
  waiting: number;
  sending: number;
  sent: number;
  refused: number;
  skipped: number;
  unknown: number;
}

/** Why a delivery ends before everybody was sent to: somebody stopped it, or it ended the processes that sent it. */
export type Halted = 'stopped' | 'failed';

/** One channel of a schedule that is due: made when it fires, so that later changes of the schedule don't touch it. */
export interface DeliveryDocument extends Planned {
  /** Dispatch and channel. */
  _id: string;
  /** Workspace and channel: deliveries of one lane take turns. */
  lane: string;
  dispatch: string;
  schedule: string;
  channel: Channel;
  /** JSON text. */
  message: string;
  /** When there is something to do next; absent once it is over. A process that takes it moves this on, so that another goes on when it dies. */
  due?: Date;
  /** Who took it last: only that one may go on from its cursor. */
  taker?: string;
  /** How many turns in a row took it without coming to an end: from 1 on it may be what ended their process. See sending/suspects.ts. */
  taken?: number;
  /** Until a turn that has it comes to its end: when rows are due that results of other turns have given back. */
  wake?: Date;
  /** Nobody else is sent to: who waits is skipped, with this as the reason. */
  halted?: Halted;
  /** The audience was read up to this service id; absent before the first page. */
  cursor?: string;
  /** All of the audience was read. */
  read: boolean;
  /** A stamp: what was accepted before it is applied before anybody is sent to. It is taken when the delivery falls due, and stays the same until it is reached. */
  fence?: number;
  /** Somebody has a row who may come on a later page too: people were merged while they waited. */
  merged?: true;
  counts: SendCounts;
  began: Date;
  /** When it was planned for; of local times the first of them. */
  planned: Date;
  ended?: Date;
  expires?: Date;
}

/** A lane of a workspace with a frequency cap. Each turn that claims messages for people writes it, so of two at once one is tried again: see sending/caps.ts. */
export interface LaneDocument {
  _id: string;
  turns: number;
}

/** A device that shows a live activity. */
export interface ActivityDeviceDocument {
  token: string;
  /** When we got the token. */
  since: Date;
}

/** A live activity of an app. */
export interface ActivityDocument {
  /** Workspace, app and activity. */
  _id: string;
  ws: string;
  app: string;
  /** The latest are at the end. */
  devices: ActivityDeviceDocument[];
  /** The newest update: what the devices should show. */
  update?: ActivityUpdateDocument;
  /** The newest update ended it. */
  ended?: boolean;
  /** While the update is not sent everywhere: when it is tried. */
  due?: Date;
  /** A process is sending it until then: nobody else does. */
  busy?: Date;
  expires: Date;
}

/** @public The declarations of open-store.ts name it. */
export interface ActivityUpdateDocument {
  /** The request, whose outcome tells what became of it. */
  request: string;
  at: number;
  /** JSON text. */
  content: string;
  tries: number;
  /** What became of it at the devices that need no other try: JSON text. */
  done: string;
}

/** One recipient of a delivery. */
export interface SendDocument {
  /** Dispatch, channel and service id. */
  _id: string;
  ws: string;
  delivery: string;
  profile: string;
  channel: Channel;
  state: keyof SendCounts;
  /** Why it was refused or skipped, or is unknown. */
  reason?: string;
  /** Its id at the provider. */
  provider?: string;
  /** Of its last state. */
  at: Date;
  /** While it waits: when it is tried. */
  due?: Date;
  /** Counts how often it was sent or is being sent. */
  tries: number;
  /** Short names of the devices that have it, where another try leaves them out. */
  devices?: string[];
  /** What was kept instead of being sent, as JSON text: a content card, or what has no provider. */
  outbox?: string;
  expires: Date;
}
