/**
 * Security events in a log of their own: lines with `log: "security"`. The first of a kind is written at once, the others are counted and
 * told once a minute: a flood fills neither the disk nor the audit log.
 */
import type { Log } from './log.ts';

/** Every security event by its name. SECURITY.md has the same table; a test compares them. */
export const securityEvents = {
  'sign_in.succeeded': 'A dashboard user signed in to the board.',
  'sign_in.failed': 'A wrong user name or password, or a user who is not active.',
  'sign_in.throttled': 'A try to sign in that was not looked at: too many tries.',
  sign_out: 'A dashboard user signed out.',
  'account.changed':
    'A dashboard user changed their password or passkeys, or ended their sessions elsewhere.',
  'board.refused': 'A dashboard user without the permission to see the board.',
  'key.refused': 'A request without a good API key or SCIM token: `reason` is the code of the refusal.',
  'key.forbidden':
    'A good key without the permission of the operation, or from an address that is not on its list (403). `reason`: `permission` or `ip`.',
  'people.exported': 'Profiles were read.',
  'people.deleted': 'People were deleted.',
  'user.created': 'A dashboard user was created by SCIM.',
  'user.changed': 'A dashboard user was changed by SCIM: also reactivated or deactivated.',
  'user.deleted': 'A dashboard user was deleted by SCIM.',
  'events.dropped': 'More kinds of events in a minute than are told apart; `count` is how many are not told.',
} as const;

type SecurityEventName = keyof typeof securityEvents;

/** One kind of event in one minute. It holds no name and no whole IP address of a person. */
export interface SecurityEvent {
  event: SecurityEventName;
  /** `key:<id>`, `scim:<id>`, `user:<id>`; undefined when the caller is unknown. */
  by?: string;
  /** Workspace, or `company:<id>`. */
  ws?: string;
  reason?: string;
  op?: string;
  /** The network of the caller: of IPv4 the first three numbers, of IPv6 the first three groups. */
  from?: string;
}

export interface CountedEvent extends SecurityEvent {
  count: number;
  /** Milliseconds since the epoch. */
  first: number;
  last: number;
}

export interface SecurityLogOptions {
  log: Log;
  /** Where events go that belong into the audit log. What it cannot take is lost there, and still in the log. */
  keep?(events: readonly CountedEvent[]): Promise<void>;
  now?: () => number;
  everyMs?: number;
  /** So many kinds of events are told apart in a minute. */
  most?: number;
}

const nameOf = ({ event, by, ws, reason, op, from }: SecurityEvent): string =>
  [event, by, ws, reason, op, from].join('\n');

/** The audit log is kept for ever, so it does not tell networks apart. */
const withoutNetworks = (events: Iterable<CountedEvent>): CountedEvent[] => {
  const merged = new Map<string, CountedEvent>();
  for (const { from: _network, ...event } of events) {
    const known = merged.get(nameOf(event));
    if (!known) merged.set(nameOf(event), event);
    else {
      known.count += event.count;
      known.first = Math.min(known.first, event.first);
      known.last = Math.max(known.last, event.last);
    }
  }
  return [...merged.values()];
};

const dropped = 'events.dropped';

/** Counts events by their kind: `onFirst` is told of the first of a kind at once. Kinds beyond `most` count as dropped. */
const createCounting = (onFirst: (event: CountedEvent) => void, most: number, now: () => number) => {
  let counted = new Map<string, CountedEvent>();

  const begin = (name: string, event: SecurityEvent): void => {
    const entry = { ...event, count: 1, first: now(), last: now() };
    counted.set(name, entry);
    if (event.event !== dropped) onFirst(entry);
  };

  const note = (event: SecurityEvent): void => {
    const name = nameOf(event);
    const known = counted.get(name);
    if (known) {
      known.count += 1;
      known.last = now();
    } else if (counted.size < most || event.event === dropped) begin(name, event);
    else note({ event: dropped });
  };

  return {
    note,
    /** All that was counted, and begins anew. */
    take(): CountedEvent[] {
      const events = [...counted.values()];
      counted = new Map();
      return events;
    },
  };
};

export const createSecurityLog = ({
  log,
  keep = async () => {},
  now = Date.now,
  everyMs = 60_000,
  most = 500,
}: SecurityLogOptions) => {
  const write = (event: CountedEvent, count: number): void => {
    const { first: _first, last: _last, ...told } = event;
    log.warn({ log: 'security', ...told, count }, 'security');
  };
  const { note, take } = createCounting((event) => write(event, 1), most, now);

  const flush = async (): Promise<void> => {
    const events = take();
    for (const event of events) {
      const untold = event.event === dropped ? event.count : event.count - 1;
      if (untold > 0) write(event, untold);
    }
    if (events.length > 0)
      await keep(withoutNetworks(events)).catch((err) =>
        log.warn({ err }, 'keeping security events for the audit log failed'),
      );
  };

  const timer = setInterval(() => void flush(), everyMs).unref();
  return {
    note,
    /** Tells what was counted and has not been told. */
    flush,
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
};
