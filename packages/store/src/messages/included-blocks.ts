/** The content blocks that a template needs. */
import type { Collection, Session } from '../connection/db.ts';
import type { ContentBlockDocument } from '../models/content.ts';

/** More than anybody includes; a rendering reaches its own limits before. */
const mostBlocks = 80;

/**
 * Content by name: these blocks and the blocks that they include. At most 80, those nearest to the template first; the others are missing and
 * are rendered as nothing.
 */
export const createIncludedBlocks =
  (blocks: Collection<ContentBlockDocument>) =>
  async (ws: string, names: readonly string[], session?: Session): Promise<Record<string, string>> => {
    const contents = new Map<string, string>();
    const options = { projection: { name: 1, content: 1, includes: 1 }, ...(session && { session }) };
    let next = [...new Set(names)];
    while (next.length > 0) {
      const room = next.slice(0, mostBlocks - contents.size);
      const found = await blocks.find({ ws, name: { $in: room } }, options).toArray();
      for (const { name, content } of found) contents.set(name, content);
      const more = found.flatMap(({ includes }) => includes).filter((name) => !contents.has(name));
      next = contents.size < mostBlocks ? [...new Set(more)] : [];
    }
    // From entries: a block may be called `__proto__`.
    return Object.fromEntries(contents);
  };
