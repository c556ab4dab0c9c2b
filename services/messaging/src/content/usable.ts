/** Whether content may include the blocks that it names: those that are there, and no drafts. */
import type { Session, Store } from '@roster/store';

const active = { state: 'active' } as const;

/** The first one that is not there. */
export const missingBlock = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  { ws, includes }: { ws: string; includes: readonly string[] },
): Promise<string | undefined> => {
  if (includes.length === 0) return undefined;
  const wanted = { ws, name: { $in: [...includes] }, ...active };
  const found = await content.blocks.find(wanted, { session, projection: { name: 1 } }).toArray();
  const known = new Set(found.map(({ name }) => name));
  return includes.find((name) => !known.has(name));
};
