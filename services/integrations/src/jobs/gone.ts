/** In diff mode: what stays known of rows that are no longer in the table. They may come back, as a load job empties a table before it fills it. */
import { settingsOf } from '@roster/integrations';
import type { IntegrationDocument } from '@roster/store';
import { shortened } from './collector.ts';
import { dayOf, isGone, type KeptCounts, type KeptRow, nothing } from './kept.ts';

/** So few may be gone, whatever their share is. */
const fewRows = 100;

const usualPercent = 50;

/** One that comes back later is new. */
export const daysRemembered = 30;

/** Events and purchases never count once more because their columns have changed, or because they were away. */
export const countsOnce = ({ data }: Pick<IntegrationDocument, 'data'>): boolean =>
  data === 'events' || data === 'purchases';

/** Whether people of rows that are gone are removed at the end. */
export const isRemoving = (integration: Pick<IntegrationDocument, 'settings'>): boolean =>
  (settingsOf(integration).on_removed ?? 'ignore') !== 'ignore';

/** A row that comes back wants a person to be deleted once more. */
const isForgotten = ({ data }: Pick<IntegrationDocument, 'data'>): boolean => data === 'deletes';

export const mostPercent = (integration: Pick<IntegrationDocument, 'settings'>): number =>
  settingsOf(integration).most_removed_percent ?? usualPercent;

/** Not as in a table that was emptied. */
export const areFew = ({ rows, gone }: KeptCounts, percent: number): boolean =>
  gone <= fewRows || gone <= (rows * percent) / 100;

interface GoneOptions {
  integration: IntegrationDocument;
  hasFailed(key: string): boolean;
  /** Whether more than the rows of the table may be kept. */
  isRoom: boolean;
}

export const createGoneRows = ({ integration, hasFailed, isRoom }: GoneOptions) => {
  const today = dayOf(Date.now());
  const removes = isRemoving(integration);
  const isOver = (went: number): boolean => !removes && (!isRoom || went < today - daysRemembered);
  let count = 0;
  return {
    count: (): number => count,
    /** What stays of a row that is not in the table. */
    keep(row: KeptRow): KeptRow | undefined {
      if (!isGone(row)) count += 1;
      const { went = today } = row;
      if (isForgotten(integration) || isOver(went)) return undefined;
      return { ...row, went, ...(hasFailed(shortened(row.key)) && { hash: nothing }) };
    },
  };
};
