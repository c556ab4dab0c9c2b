/** POST /content_blocks/update. */
import { isDeepStrictEqual } from 'node:util';
import { type AcceptedRequest, type ContentBlockChange, Rejection } from '@roster/contract';
import type { ContentBlockDocument, Session, Store } from '@roster/store';
import { assertLinkable } from '../centers/linked.ts';
import type { ContentChange } from '../handler.ts';
import { inUse } from '../refusals.ts';
import { assertNameFree, assertNotSeen } from './create.ts';
import { findToChange } from './find-block.ts';
import { assertIncludable, namedIn } from './includes.ts';
import { inclusionsOf } from './inclusions.ts';
import { limits } from './limits.ts';
import { showChanged } from './show-block.ts';
import { countIn, enterSpace } from './space.ts';
import { toldIn } from './unknown-names.ts';

type Block = ContentBlockDocument;

const members = ['name', 'description', 'content', 'state', 'tags'] as const;

const changedIn = (before: Block, after: Block): string[] =>
  members.filter((member) => !isDeepStrictEqual(before[member], after[member]));

/** What is left out stays, save the state: without a word of it, it is active. */
const changeBlock = (
  before: Block,
  { at, by }: AcceptedRequest,
  { content_block_id: _, ...sent }: ContentBlockChange,
  includes = before.includes,
): Block => {
  const { by: _before, ...kept } = before;
  const after: Block = {
    ...kept,
    ...sent,
    state: sent.state ?? 'active',
    includes,
    version: before.version + 1,
    edited: Math.max(before.edited, at),
    ...(by !== undefined && { by }),
  };
  return { ...after, changed: changedIn(before, after) };
};

const assertState = (before: Block, after: Block): void => {
  if (before.state !== 'active') return;
  if (after.name !== before.name) throw new Rejection('CONTENT_BLOCK_NAME_FIXED');
  if (after.state === 'draft') throw new Rejection('CONTENT_BLOCK_ACTIVE');
};

const assertRenamable = async (store: Store, session: Session, before: Block, after: Block) => {
  if (before.name === after.name) return;
  await assertNameFree(store, session, after);
  const [first] = await inclusionsOf(store, before.ws, before.name, session);
  if (first) throw inUse(first);
  await assertNotSeen(store, session, after);
};

/** The last ones are kept: the oldest makes room for one more. */
const keepVersion = async (store: Store, session: Session, { created: _, ...before }: Block) => {
  const { versions } = store.content;
  const idOf = (version: number): string => `${before._id}:${version}`;
  const oldest = before.version - limits.versionsOfBlock;
  const { deletedCount } = await versions.deleteOne({ _id: idOf(oldest) }, { session });
  await countIn(store, session, before.ws, { versions: 1 - deletedCount });
  await versions.insertOne({ ...before, _id: idOf(before.version), block: before._id }, { session });
};

const write = async (store: Store, session: Session, before: Block, after: Block): Promise<void> => {
  await keepVersion(store, session, before);
  await store.content.blocks.replaceOne({ _id: before._id }, after, { session });
};

const mayLeadElsewhere = ({ changed }: Block): boolean =>
  ['name', 'content', 'state'].some((member) => changed.includes(member));

export const updateBlock: ContentChange = async (request, { store, liquid }) => {
  const body = request.body as ContentBlockChange;
  const named =
    body.content === undefined ? undefined : await namedIn({ store, liquid }, request.ws, body.content);
  return async (session) => {
    await enterSpace(store, session, request.ws);
    const before = await findToChange(store, session, request);
    const after = changeBlock(before, request, body, named?.includes);
    if (after.changed.length === 0) return { ...showChanged(before), ...toldIn(named) };
    assertState(before, after);
    await assertRenamable(store, session, before, after);
    if (mayLeadElsewhere(after)) await assertIncludable(store, session, after);
    const linking = { ws: request.ws, centers: named?.centers ?? [] };
    await assertLinkable(store, session, linking, 'CONTENT_BLOCK_CENTER_UNKNOWN');
    await write(store, session, before, after);
    return { ...showChanged(after), ...toldIn(named) };
  };
};
