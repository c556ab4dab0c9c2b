/** POST /content_blocks/create. */
import { type AcceptedRequest, type NewContentBlock, Rejection } from '@roster/contract';
import { type ContentBlockDocument, idFrom, type Session, type Store } from '@roster/store';
import { assertLinkable } from '../centers/linked.ts';
import type { ContentChange } from '../handler.ts';
import { inUse } from '../refusals.ts';
import { assertIncludable, namedIn } from './includes.ts';
import { shownInclusion } from './inclusions.ts';
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
  if (await content.blocks.findOne({ ws, name }, { session, projection: { _id: 1 } }))
    throw new Rejection('CONTENT_BLOCK_NAME_TAKEN');
};

/** After a deletion by force its name may still be included somewhere: people would see the draft. */
export const assertNotSeen = async (
  store: Pick<Store, 'content' | 'preferenceCenters'>,
  session: Session,
  block: Pick<ContentBlockDocument, 'ws' | 'name' | 'state'>,
): Promise<void> => {
  const first = block.state === 'draft' ? await shownInclusion(store, session, block) : undefined;
  if (first) throw inUse(first);
};

export const createBlock: ContentChange = async (request, { store, liquid }) => {
  const body = request.body as NewContentBlock;
  const { includes, centers, ...told } = await namedIn({ store, liquid }, request.ws, body.content);
  const block = newBlock(request, body, includes);
  return async (session) => {
    await enterSpace(store, session, block.ws);
    await countIn(store, session, block.ws, { blocks: 1 });
    await assertNameFree(store, session, block);
    await assertNotSeen(store, session, block);
    await assertIncludable(store, session, block);
    await assertLinkable(store, session, { ws: block.ws, centers }, 'CONTENT_BLOCK_CENTER_UNKNOWN');
    await store.content.blocks.insertOne(block, { session });
    return { ...showChanged(block), ...told };
  };
};
