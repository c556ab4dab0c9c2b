/** The marks of requests, and the ids of their rows: fault tests replace both. */
import { createMarks as createStoredMarks, type Store, type Marks as StoredMarks } from '@roster/store';

export interface Marks extends StoredMarks {
  /** Ids of events and purchases begin with it. */
  rowId(requestId: string): string;
}

export const createMarks = ({ requests }: Pick<Store, 'requests'>): Marks => ({
  ...createStoredMarks(requests),
  rowId: (requestId) => requestId,
});
