/** POST /content_blocks/create. */
import type { AcceptedRequest, NewContentBlock } from '@roster/contract';
import type { ContentBlockDocument, Session, Store } from '@roster/store';
import type { Change } from '../handler.ts';
import { nameTaken } from '../refusals.ts';
import { idFrom } from '../stamp.ts';
import { assertIncludable, includesIn } from './includes.ts';
import { showChanged } from './show-block.ts';
import { countIn, enterSpace } from './space.ts';

const newBlock = (
  { id, ws, at, by }: AcceptedRequest,
  { name, description, content, state = 'active', tags = [] }: NewContentBlock,
  includes: string[],
): ContentBlockDocument => ({
  _id: idFrom('content block', id),
  ws,
  version: 1,
  name,
  ...(description !== undefined && { description }),
  content,
  state,
  tags,
  includes,
  changed: ['name', ...(description === undefined ? [] : ['description']), 'content', 'state', 'tags'],
  created: at,
  edited: at,
  ...(by !== undefined && { by }),
});

export const assertNameFree = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  { ws, name }: Pick<ContentBlockDocument, 'ws' | 'name'>,
): Promise<void> => {
  if (await content.blocks.findOne({ ws, name }, { session, projection: { _id: 1 } })) throw nameTaken();
};

export const createBlock: Change = async (request, { store, liquid }) => {
  const body = request.body as NewContentBlock;
  const block = newBlock(request, body, await includesIn(liquid, body.content));
  return async (session) => {
    await enterSpace(store, session, block.ws);
    await countIn(store, session, block.ws, { blocks: 1 });
    await assertNameFree(store, session, block);
    await assertIncludable(store, session, block);
    await store.content.blocks.insertOne(block, { session });
    return showChanged(block);
  };
};
