/** The rule of tracking, for the rounds of planning: with the contract's times, countries and languages. */
import { type PlanningRule, planInRounds } from '@roster/batch';
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
import { createBreath, inStrides, type LoadBudget, type Session, type StoresOfPeople } from '@roster/store';
import type { TrackRequest } from './batch.ts';
import { load, loadMore } from './load.ts';
import { happenedAt } from './rows.ts';
import { defaultSettings, type TrackSettings } from './settings.ts';

export type SettingsByWorkspace = ReadonlyMap<string, TrackSettings>;

export type ReadyTrack = Extract<Planned<EventEntry, PurchaseEntry>, { ready: true }>;

export type TrackRule = PlanningRule<TrackRequest, PlanKnown, Needs, ReadyTrack>;

export type Planner = (
  session: Session,
  requests: readonly TrackRequest[],
  settings: SettingsByWorkspace,
  budget: LoadBudget,
) => Promise<ReadyTrack>;

/** A usual batch is planned in one slice. */
const sliceMs = 25;

const reading: Reading = { time: isoTime, country, timeZone, language: languageOf };

export const ruleOf = (
  stores: StoresOfPeople,
  settings: SettingsByWorkspace,
  { fold, deletions }: { fold?: Fold | undefined; deletions?: Deletions } = {},
): TrackRule => {
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

export const createPlanner =
  (stores: StoresOfPeople): Planner =>
  (session, requests, settings, budget) =>
    planInRounds(ruleOf(stores, settings), session, requests, budget);
