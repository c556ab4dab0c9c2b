/** The condition "after this place", in SQL. */
import type { Place } from '../place.ts';

export interface Keyset {
  /** The two columns, as the table orders by them; the tie alone where there is no moment. */
  readonly moment: string | undefined;
  readonly tie: string;
  /** Whether rows without a tie come first or last among those of their moment. */
  readonly nulls: 'first' | 'last';
  /** A placeholder for a value of the type of the column. */
  momentValue(value: string): string;
  tieValue(value: string): string;
}

/** Within one moment: which ties come after. */
const laterTie = ({ tie, nulls, tieValue }: Keyset, place: Place): string | undefined => {
  if (place.tie === undefined) return 'true';
  if (place.tie !== null) {
    const later = `${tie} ${place.isOpen ? '>=' : '>'} ${tieValue(place.tie)}`;
    return nulls === 'last' ? `(${later} OR ${tie} IS NULL)` : later;
  }
  if (nulls === 'first') return place.isOpen ? 'true' : `${tie} IS NOT NULL`;
  return place.isOpen ? `${tie} IS NULL` : undefined;
};

/** The first comparison alone bounds what an index has to read. */
export const isAfter = (keyset: Keyset, place: Place): string => {
  const { moment, momentValue } = keyset;
  const within = laterTie(keyset, place);
  if (moment === undefined) return within ?? 'false';
  const value = momentValue(place.moment);
  if (within === 'true') return `${moment} >= ${value}`;
  if (within === undefined) return `${moment} > ${value}`;
  return `${moment} >= ${value} AND (${moment} > ${value} OR ${within})`;
};
