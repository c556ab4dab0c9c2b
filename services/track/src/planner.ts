/** From requests to a plan: loads, plans, and loads what turned out to be missing. */
import {
  country,
  type EventEntry,
  isoTime,
  languageOf,
  type PurchaseEntry,
  timeZone,
} from '@roster/contract';
import { type Deletions, type Fold, type Known, type Planned, planning, type Reading } from '@roster/profile';
import { createBreath, inStrides, type LoadBudget, type Session } from '@roster/store';
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
  budget: LoadBudget,
  deletions?: Deletions,
) => Promise<Ready>;

/** A usual batch is planned in one. */
const sliceMs = 25;

const reading: Reading = { time: isoTime, country, timeZone, language: languageOf };

export const createPlanner =
  (stores: Stores, fold?: Fold): Planner =>
  /** Planning may find that it has to know more; twice is rare, and each time fewer are missing. */
  async (session, requests, settings, budget, deletions) => {
    const settingsOf = (ws: string): TrackSettings => settings.get(ws) ?? defaultSettings;
    let known: Known = await load(stores, session, requests, budget, deletions);
    for (;;) {
      const work = planning({
        requests,
        known,
        reading,
        settingsOf,
        happenedAt,
        ...(fold && { fold }),
        ...(deletions && { deletions }),
      });
      const made = await inStrides(work, createBreath(sliceMs));
      if (made.ready) return made;
      known = await loadMore(stores, session, known, made.needs, requests, budget);
    }
  };
