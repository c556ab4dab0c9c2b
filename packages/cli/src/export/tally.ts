/** The counts of an export. */
import { number } from '../shown.ts';

/** Why a person can't be written in a form that could be imported. */
export const reasons = {
  no_identifier: 'has neither an external id nor an alias, email, phone or push token',
  shared_identifier: 'has only an email, phone or push token that another person without a name has too',
} as const;

export type Reason = keyof typeof reasons;

export interface Tally {
  people: number;
  events: number;
  purchases: number;
  /** The number of people with each reason, and the first of them by name. */
  left: Record<Reason, number>;
  firstLeft: { service_id: string; reason: Reason }[];
  /** The parts that are missing from exported people, by the names of docs/round-trip.md. */
  leftOut: Record<string, number>;
}

export const nothingYet = (): Tally => ({
  people: 0,
  events: 0,
  purchases: 0,
  left: { no_identifier: 0, shared_identifier: 0 },
  firstLeft: [],
  leftOut: {},
});

/** For the progress. */
export const tallyWords = ({ people, events, purchases }: Tally): string[] => [
  `${number(people)} people`,
  `${number(events + purchases)} occurrences`,
];

const mostNamed = 100;

export const leave = (tally: Tally, service_id: string, reason: Reason): void => {
  tally.left[reason] += 1;
  if (tally.firstLeft.length < mostNamed) tally.firstLeft.push({ service_id, reason });
};

export const leaveOut = (tally: Tally, what: string, count: number): void => {
  if (count > 0) tally.leftOut[what] = (tally.leftOut[what] ?? 0) + count;
};

export const leftIn = ({ left }: Tally): number => left.no_identifier + left.shared_identifier;
