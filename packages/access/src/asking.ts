/** Asks the serving copy for a key. */
import type { Redis } from 'ioredis';
import { type Access, admit, invalid, unavailable } from './admit.ts';
import { hearChanges } from './changes.ts';
import type { createMemory, Granted, MemoryOptions } from './header-memory.ts';
import { parseKey, verifyKey } from './key.ts';
import { createLookup } from './lookup.ts';
import type { Found } from './read-served.ts';
import type { ParsedKey } from './token.ts';

type DirectoryLog = { warn(fields: Record<string, unknown>, message: string): void };

export interface DirectoryOptions extends MemoryOptions {
  /** Reads keys and settings; fails at once while Redis is away. */
  reader: Redis;
  /** Hears changes. It must not subscribe again by itself: changes from the time between would stay unheard. */
  subscriber: Redis;
  pepper: string;
  log?: DirectoryLog;
}

const bearer = /^bearer +(\S{1,100}) *$/i;

export const keyIn = (authorization: string | undefined): ParsedKey | undefined => {
  const text = authorization && authorization.length < 200 ? bearer.exec(authorization)?.[1] : undefined;
  return text === undefined ? undefined : parseKey(text);
};

const verified = (found: Found, parsed: ParsedKey, pepper: string): Granted | undefined => {
  const record = found === 'unknown' ? undefined : found.key;
  if (!verifyKey(record, parsed, pepper) || found === 'unknown') return undefined;
  return { ok: true, ...found };
};

/** Behind the scenes, and once at a time. */
export const createRefresh = (ask: (header: string, parsed: ParsedKey) => Promise<unknown>) => {
  const refreshing = new Set<string>();
  return (header: string): void => {
    const parsed = keyIn(header);
    if (!parsed || refreshing.has(header)) return;
    refreshing.add(header);
    ask(header, parsed)
      .catch(() => {})
      .finally(() => refreshing.delete(header));
  };
};

/** Asks the serving copy for the key of a header. */
export const createAsking = (
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
      log?.warn({ err }, 'a key could not be looked up');
      return unavailable;
    }
  };

  return { ask, askFor, listening };
};
