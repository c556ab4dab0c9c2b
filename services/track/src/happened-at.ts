/** The time of an event or purchase. */
import { type EventEntry, type PurchaseEntry, parseTime } from '@roster/contract';

export type Occurrence = EventEntry | PurchaseEntry;

/** A time in the future becomes the time of acceptance. */
export const timeOf = ({ time }: Occurrence, at: number): number => {
  const accepted = Math.floor(at / 1000);
  return Math.min(parseTime(time) ?? accepted, accepted);
};

/** In stamps, to compare with changes. */
export const happenedAt = (entry: Occurrence, at: number): number => timeOf(entry, at) * 1000;
