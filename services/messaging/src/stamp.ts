/** What answers show of stamps. */
import { stampToDate } from '@roster/queue';

export const timeOf = (stamp: number): string => stampToDate(stamp).toISOString();
