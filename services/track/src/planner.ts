/** The rule of tracking, for the rounds of planning: with the contract's times, countries and languages. */
import type { PlanningRule } from '@roster/batch';
import {
  country,
  type EventEntry,
  isoTime,
  languageOf,
  type PurchaseEntry,
  timeZone,
} from '@roster/contract';
import {
  type Deletions,
  type Fold,
  type Needs,
  type PlanKnown,
  type Planned,
  planning,
  type Reading,
} from '@roster/profile';
import { createBreath, inStrides, type StoresOfPeople } from '@roster/store';
import { load, loadMore } from './load.ts';
import type { TrackRequest } from './operations.ts';
import { happenedAt } from './rows.ts';
import { defaultSettings, type TrackSettings } from './settings.ts';

export type SettingsByWorkspace = ReadonlyMap<string, TrackSettings>;

export type ReadyTrack = Extract<Planned<EventEntry, PurchaseEntry>, { ready: true }>;

/** A usual batch is planned in one slice. */
const sliceMs = 25;

const reading: Reading = { time: isoTime, country, timeZone, language: languageOf };

export const ruleOf = (
  stores: StoresOfPeople,
  settings: SettingsByWorkspace,
  { fold, deletions }: { fold?: Fold | undefined; deletions?: Deletions } = {},
): PlanningRule<TrackRequest, PlanKnown, Needs, ReadyTrack> => {
  const settingsOf = (ws: string): TrackSettings => settings.get(ws) ?? defaultSettings;
  return {
    load: (session, requests, budget) => load(stores, session, requests, budget, deletions),
    loadMore: (session, known, needs, requests, budget) =>
      loadMore(stores, session, known, needs, requests, budget),
    plan(requests, known) {
      const work = planning({
        requests,
        known,
        reading,
        settingsOf,
        happenedAt,
        ...(fold && { fold }),
        ...(deletions && { deletions }),
      });
      return inStrides(work, createBreath(sliceMs));
    },
  };
};
