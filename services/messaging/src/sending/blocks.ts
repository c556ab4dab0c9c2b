/** The content blocks that the texts of a message include. */
import type { Templates } from '@roster/liquid';
import type { Store } from '@roster/store';
import type { Place } from './texts.ts';

const mostKept = 1000;

export const createBlocksOf = ({ includedBlocks }: Pick<Store, 'includedBlocks'>) => {
  const kept = new Map<string, readonly string[]>();

  const namesIn = async (text: string, liquid: Templates): Promise<readonly string[]> => {
    const known = kept.get(text);
    if (known) return known;
    const { includes } = await liquid.check(text);
    if (kept.size >= mostKept) kept.clear();
    kept.set(text, includes);
    return includes;
  };

  /** By name. */
  return async (ws: string, places: readonly Place[], liquid: Templates): Promise<Record<string, string>> => {
    const names = new Set<string>();
    for (const { text } of places)
      if (text.includes('content_blocks')) for (const name of await namesIn(text, liquid)) names.add(name);
    return names.size > 0 ? includedBlocks(ws, [...names]) : {};
  };
};
