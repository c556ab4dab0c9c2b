/** From requests to a plan: loads, plans, and loads what turned out to be missing. */
import {
  country,
  type EventEntry,
  isoTime,
  languageOf,
  type PurchaseEntry,
  timeZone,
} from '@roster/contract';
import { type Fold, type Known, type Planned, plan, type Reading } from '@roster/profile';
import type { Session } from '@roster/store';
import type { TrackRequest } from './batch.ts';
import { load, loadMore, type Stores } from './load.ts';
import { happenedAt } from './rows.ts';
import { defaultSettings, type TrackSettings } from './settings.ts';

export type SettingsByWorkspace = ReadonlyMap<string, TrackSettings>;

export type Ready = Extract<Planned<EventEntry, PurchaseEntry>, { ready: true }>;

export type Planner = (
  session: Session,
  requests: readonly TrackRequest[],
  settings: SettingsByWorkspace,
  /** Whether the bytes of everybody are counted, so that nobody becomes too large to be stored. */
  countsAll?: boolean,
) => Promise<Ready>;

const reading: Reading = { time: isoTime, country, timeZone, language: languageOf };

export const createPlanner =
  (stores: Stores, fold?: Fold): Planner =>
  /** Planning may find that it has to know more; twice is rare, and each time fewer are missing. */
  async (session, requests, settings, countsAll) => {
    const settingsOf = (ws: string): TrackSettings => settings.get(ws) ?? defaultSettings;
    let known: Known = await load(stores, session, requests, countsAll);
    for (;;) {
      const made = plan({ requests, known, reading, settingsOf, happenedAt, ...(fold && { fold }) });
      if (made.ready) return made;
      known = await loadMore(stores, session, known, made.needs);
    }
  };
