/** POST /content_blocks/delete. */
import type { ContentBlockDeletion } from '@roster/contract';
import type { ContentChange } from '../handler.ts';
import { inUse } from '../refusals.ts';
import { findToChange } from './find-block.ts';
import { inclusionsOf, schedulesWith } from './inclusions.ts';
import { limits } from './limits.ts';
import { countIn, enterSpace } from './space.ts';

const dayMs = 24 * 3600 * 1000;

export const deleteBlock: ContentChange = async (request, { store }) => {
  const { ws, at, by } = request;
  const { force = false } = request.body as ContentBlockDeletion;
  return async (session) => {
    await enterSpace(store, session, ws);
    const { _id, name } = await findToChange(store, session, request);
    const [first] = await inclusionsOf(store, ws, name, session);
    if (first && !force) throw inUse(first);
    const schedules = force ? [] : await schedulesWith(store, session, { ws, name });
    if (schedules.length > 0) throw inUse({ type: 'schedule', name: schedules.join(', ') });
    const expires = new Date(Date.now() + limits.deletedDays * dayMs);
    const { blocks, versions, deleted } = store.content;
    await blocks.deleteOne({ _id }, { session });
    const { deletedCount } = await versions.deleteMany({ block: _id }, { session });
    await deleted.insertOne({ _id, ws, at, ...(by !== undefined && { by }), expires }, { session });
    await countIn(store, session, ws, { blocks: -1, versions: -deletedCount });
    return { message: 'success' };
  };
};
