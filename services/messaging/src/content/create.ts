/** POST /content_blocks/create. */
import type { AcceptedRequest, NewContentBlock } from '@roster/contract';
import type { ContentBlockDocument, Session, Store } from '@roster/store';
import type { Change } from '../handler.ts';
import { blocksFull, nameTaken } from '../refusals.ts';
import { idFrom } from '../stamp.ts';
import { limits } from './limits.ts';
import { showChanged } from './show-block.ts';
import { enterSpace } from './space.ts';

const newBlock = ({ id, ws, at, by, body }: AcceptedRequest): ContentBlockDocument => {
  const { name, description, content, state = 'active', tags = [] } = body as NewContentBlock;
  return {
    _id: idFrom('content block', id),
    ws,
    version: 1,
    name,
    ...(description !== undefined && { description }),
    content,
    state,
    tags,
    includes: [],
    created: at,
    edited: at,
    ...(by !== undefined && { by }),
  };
};

const assertNameFree = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  { ws, name }: Pick<ContentBlockDocument, 'ws' | 'name'>,
): Promise<void> => {
  if (await content.blocks.findOne({ ws, name }, { session, projection: { _id: 1 } })) throw nameTaken();
};

export const createBlock: Change = async (request, { store }) => {
  const block = newBlock(request);
  return async (session) => {
    const { blocks } = await enterSpace(store, session, block.ws, { blocks: 1 });
    if (blocks > limits.blocks) throw blocksFull();
    await assertNameFree(store, session, block);
    await store.content.blocks.insertOne(block, { session });
    return showChanged(block);
  };
};
