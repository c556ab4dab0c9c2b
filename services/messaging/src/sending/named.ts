/** What the texts of a message or a page name: content blocks with their content, and preference centers. */
import { createHash } from 'node:crypto';
import type { Templates } from '@roster/liquid';
import type { Store } from '@roster/store';
import { linkedCenters } from '../centers/linked.ts';
import { joinNamed, type Named } from '../content/includes.ts';

/** Of the names that were found in texts, in characters. A text is known by its digest. */
const mostKept = 1024 * 1024;
const digestLength = 43;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const sizeOf = ({ includes, centers }: Named): number =>
  digestLength + [...includes, ...centers].reduce((sum, { length }) => sum + length, 0);

/** @public For tests of the bound. */
export const createNamesIn = (most = mostKept) => {
  const kept = new Map<string, Named>();
  let size = 0;
  const namesIn = async (text: string, liquid: Templates): Promise<Named> => {
    const digest = digestOf(text);
    const known = kept.get(digest);
    if (known) return known;
    const { includes, centers } = await liquid.check(text);
    const named = { includes, centers };
    size += sizeOf(named);
    if (size > most) {
      kept.clear();
      size = sizeOf(named);
    }
    kept.set(digest, named);
    return named;
  };
  return { namesIn, size: () => size };
};

const mayName = (text: string): boolean =>
  text.includes('content_blocks') || text.includes('preference_center');

export type ContentsOf = ReturnType<typeof createContentsOf>;

export const createContentsOf = (store: Pick<Store, 'includedBlocks' | 'preferenceCenters'>) => {
  const { namesIn } = createNamesIn();

  const allIn = async (texts: readonly string[], liquid: Templates): Promise<Named> => {
    const all: Named[] = [];
    for (const text of texts.filter(mayName)) all.push(await namesIn(text, liquid));
    return joinNamed(all);
  };

  /** The content of blocks by name, with those that they include; and ids of preference centers by name. */
  return async (ws: string, texts: readonly string[], liquid: Templates) => {
    const inTexts = await allIn(texts, liquid);
    const blocks = inTexts.includes.length > 0 ? await store.includedBlocks(ws, inTexts.includes) : {};
    const linking = Object.values(blocks).filter((text) => text.includes('preference_center'));
    const inBlocks = await allIn(linking, liquid);
    const { centers } = joinNamed([inTexts, inBlocks]);
    return { blocks, centers: await linkedCenters(store, { ws, centers }) };
  };
};
