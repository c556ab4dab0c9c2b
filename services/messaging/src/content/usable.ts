/** Whether content may include the blocks that it names: those that are there, and no drafts. */
import type { Session, Store } from '@roster/store';
import { type IncludedUnknown, includedUnknown } from '../refusals.ts';

const active = { state: 'active' } as const;

/** Inside of the place of the workspace's content: no block goes away meanwhile. */
export const assertUsable = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  { ws, includes }: { ws: string; includes: readonly string[] },
  code: IncludedUnknown,
): Promise<void> => {
  if (includes.length === 0) return;
  const wanted = { ws, name: { $in: [...includes] }, ...active };
  const found = await content.blocks.find(wanted, { session, projection: { name: 1 } }).toArray();
  const known = new Set(found.map(({ name }) => name));
  const missing = includes.find((name) => !known.has(name));
  if (missing !== undefined) throw includedUnknown(code, missing);
};
