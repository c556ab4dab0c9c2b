/** Authenticates callers. Records of the last seconds come from memory; revocations are heard as they happen. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Secrets } from '@roster/secrets';
import type { Redis } from 'ioredis';
import { createMemory, type Granted, type MemoryOptions } from './header-memory.ts';
import { bearerIn, type ParsedKey, parseKey, verifyKey } from './key.ts';
import { createLookup, type FoundKey } from './lookup.ts';
import { type KeyRefusal, mayUse } from './may-use.ts';
import { createScimGate } from './scim-gate.ts';
import { channel } from './serving-copy.ts';

/** `UNAVAILABLE`: the key cannot be checked just now, which is 503 and never 401. */
type Denied = {
  ok: false;
  code: 'API_KEY_INVALID' | 'ACCESS_DENIED' | 'UNAVAILABLE';
  /** Of a real key that may not be used: which one and why. For the security log, never for the caller. */
  refused?: { key: string; ws: string; why: KeyRefusal };
};
export type Access = Granted | Denied;

type DirectoryLog = { warn(fields: Record<string, unknown>, message: string): void };
export interface DirectoryOptions extends MemoryOptions {
  /** Reads keys and settings; fails at once while Redis is away. */
  reader: Redis;
  /** Hears changes. It must not subscribe again by itself: what changed meanwhile would stay unheard. */
  subscriber: Redis;
  pepper: Secrets;
  log?: DirectoryLog;
}

const invalid: Denied = { ok: false, code: 'API_KEY_INVALID' };
const denied: Denied = { ok: false, code: 'ACCESS_DENIED' };
const unavailable: Denied = { ok: false, code: 'UNAVAILABLE' };

/** IP and expiry are asked at every request; they are no part of what is remembered. */
const admit = (granted: Granted, ip: string, now: number): Access => {
  const verdict = mayUse(granted.key, { ip, now });
  if (verdict === 'ok') return granted;
  const refused = { key: granted.key.id, ws: granted.settings.id, why: verdict };
  return { ...(verdict === 'ip' ? denied : invalid), refused };
};

const verified = (found: FoundKey, parsed: ParsedKey, pepper: Secrets): Granted | undefined => {
  const record = found === 'unknown' ? undefined : found.key;
  if (!verifyKey(record, parsed, pepper) || found === 'unknown') return undefined;
  return { ok: true, ...found };
};

const untilTrue = async (isSo: () => boolean, withinMs: number): Promise<boolean> => {
  const end = Date.now() + withinMs;
  while (!isSo() && Date.now() < end) await wait(5);
  return isSo();
};

/** Behind the scenes, and once at a time. */
const createRefresh = (ask: (header: string, parsed: ParsedKey) => Promise<unknown>) => {
  const refreshing = new Set<string>();
  return (header: string): void => {
    const parsed = parseKey(bearerIn(header));
    if (!parsed || refreshing.has(header)) return;
    refreshing.add(header);
    ask(header, parsed)
      // What is kept stays until it is too old; then the caller waits for the answer, and the log has the error.
      .catch(() => {})
      .finally(() => refreshing.delete(header));
  };
};

/** Hears which keys and workspaces have changed. While it can't hear, nothing may be kept: `listening()` is false. */
const hearChanges = (subscriber: Redis, forget: (message: string) => void) => {
  let listening = false;
  const lost = () => {
    listening = false;
    forget('all');
  };
  const subscribe = () => {
    subscriber.subscribe(channel).then(
      () => {
        // A record that was read before this moment may be outdated: its change was announced before we listened.
        forget('all');
        listening = subscriber.status === 'ready';
      },
      // Not allowed or not answered in time: a new connection tries again.
      () => subscriber.disconnect(true),
    );
  };
  subscriber.on('ready', subscribe);
  subscriber.on('close', lost);
  subscriber.on('message', (_channel: string, message: string) => forget(message));
  if (subscriber.status === 'ready') subscribe();
  return { listening: (): boolean => listening };
};

/** Asks the serving copy for the key of a header. */
const createAsking = (
  { reader, subscriber, pepper, log, now = Date.now }: DirectoryOptions,
  memory: ReturnType<typeof createMemory>,
) => {
  const lookup = createLookup(reader);
  /** Grows with every change that is heard: an answer that was on its way meanwhile is used, but not kept. */
  let changes = 0;

  const { listening } = hearChanges(subscriber, (message) => {
    changes += 1;
    memory.forget(message);
  });

  const ask = async (header: string, parsed: ParsedKey): Promise<Granted | undefined> => {
    const before = changes;
    const granted = verified(await lookup(parsed.id), parsed, pepper);
    if (listening() && changes === before) memory.keep(header, parsed, granted);
    return granted;
  };

  const askFor = async (header: string, parsed: ParsedKey, ip: string): Promise<Access> => {
    try {
      const granted = await ask(header, parsed);
      return granted ? admit(granted, ip, now()) : invalid;
    } catch (err) {
      log?.warn({ err }, 'looking up an API key failed');
      return unavailable;
    }
  };

  return { ask, askFor, listening };
};

export const createDirectory = (options: DirectoryOptions) => {
  const { reader, subscriber, pepper, now = Date.now } = options;
  const memory = createMemory(options);
  const { ask, askFor, listening } = createAsking(options, memory);
  const refresh = createRefresh(ask);

  const askAnew = (authorization: string | undefined, ip: string, time: number): Access | Promise<Access> => {
    const parsed = parseKey(bearerIn(authorization));
    if (authorization === undefined || !parsed) return invalid;
    if (memory.isWrong(authorization, time)) return invalid;
    return askFor(authorization, parsed, ip);
  };

  return {
    /** Finds the key, and checks that it is good and may be used from this IP. `mayUse` checks its permission. */
    authenticate(authorization: string | undefined, ip: string): Access | Promise<Access> {
      const time = now();
      const entry = authorization === undefined ? undefined : memory.good(authorization);
      if (authorization === undefined || !entry || time >= entry.until)
        return askAnew(authorization, ip, time);
      if (time >= entry.refreshFrom) refresh(authorization);
      return admit(entry.granted, ip, time);
    },
    /** The same for a SCIM token, with the origin that came along; also whether it may be used from there. */
    authenticateScim: createScimGate(reader, pepper, now),
    /** Whether changes are heard, so that answers are kept; false while Redis is away. */
    listening,
    /** Waits until it can be asked and changes are heard, at most so long. */
    settled: (withinMs = 60_000): Promise<boolean> =>
      untilTrue(() => reader.status === 'ready' && listening(), withinMs),
    /** Closes its connections too. */
    async close(): Promise<void> {
      reader.disconnect();
      subscriber.disconnect();
    },
  };
};

export type Directory = ReturnType<typeof createDirectory>;
