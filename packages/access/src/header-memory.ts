/** What is remembered of headers: the keys that they hold, and which are wrong. */
import type { KeyRecord, ParsedKey } from './key.ts';
import type { WorkspaceSettings } from './settings.ts';

export type Granted = { ok: true; key: KeyRecord; settings: WorkspaceSettings };

export interface MemoryOptions {
  /** How many headers are remembered; and how many wrong ones. */
  most?: number;
  mostWrong?: number;
  now?: () => number;
}

const keptMs = 5_000;

interface RememberedHeader {
  granted: Granted;
  until: number;
  /** From then on the next use asks anew, behind the scenes, so that a busy key never waits. */
  refreshFrom: number;
}

/** A Map keeps the order of insertion, so its first entry is the oldest. */
const bounded = <Value>(most: number) => {
  const entries = new Map<string, Value>();
  return {
    entries,
    set(name: string, value: Value) {
      if (entries.size >= most && !entries.has(name)) entries.delete(entries.keys().next().value ?? '');
      entries.set(name, value);
    },
  };
};

const isNamed = (message: string, { key, settings }: Granted): boolean =>
  message === 'all' || message === `key:${key.id}` || message === `workspace:${settings.id}`;

export const createMemory = ({ most = 10_000, mostWrong = 1000, now = Date.now }: MemoryOptions) => {
  const good = bounded<RememberedHeader>(most);
  const wrong = bounded<{ id: string; until: number }>(mostWrong);
  return {
    good: (header: string): RememberedHeader | undefined => good.entries.get(header),
    isWrong: (header: string, time: number): boolean => time < (wrong.entries.get(header)?.until ?? 0),
    forget(message: string): void {
      for (const [header, entry] of good.entries)
        if (isNamed(message, entry.granted)) good.entries.delete(header);
      for (const [header, { id }] of wrong.entries)
        if (message === 'all' || message === `key:${id}`) wrong.entries.delete(header);
    },
    keep(header: string, parsed: ParsedKey, granted: Granted | undefined): void {
      const time = now();
      if (granted) {
        wrong.entries.delete(header);
        good.set(header, { granted, until: time + keptMs, refreshFrom: time + keptMs / 2 });
      } else {
        good.entries.delete(header);
        wrong.set(header, { id: parsed.id, until: time + keptMs });
      }
    },
  };
};
