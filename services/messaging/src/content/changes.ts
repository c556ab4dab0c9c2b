/** POST /content_blocks/create, /update and /delete. */
import { isDeepStrictEqual } from 'node:util';
import { type AcceptedRequest, type BodyFor, present, Rejection } from '@roster/contract';
import { type ContentBlockDocument, expiryOf, idFrom, type Session, type Store } from '@roster/store';
import { assertLinkable } from '../centers/linked.ts';
import type { ContentChange } from '../handler.ts';
import { inUse } from '../refusals.ts';
import { isOvertaken } from '../stamp.ts';
import { assertIncludable, namedIn } from './includes.ts';
import { inclusionsOf, schedulesWith } from './inclusions.ts';
import { showChanged } from './reads.ts';
import { countIn, enterSpace, limits } from './space.ts';

type Block = ContentBlockDocument;

const newBlock = (
  { id, ws, at, by }: AcceptedRequest,
  { name, description, content, state = 'active', tags = [] }: BodyFor<'content_blocks.create'>,
  includes: string[],
): Block => {
  const sent = { name, ...present({ description }), content, state, tags };
  return {
    _id: idFrom('content block', id),
    ws,
    version: 1,
    ...sent,
    includes,
    changed: Object.keys(sent),
    created: at,
    edited: at,
    ...present({ by }),
  };
};

const assertNameFree = async ({ content }: Store, session: Session, { ws, name }: Block): Promise<void> => {
  if (await content.blocks.findOne({ ws, name }, { session, projection: { _id: 1 } }))
    throw new Rejection('CONTENT_BLOCK_NAME_TAKEN');
};

/** After a deletion by force its name may still be included somewhere: people would see the draft. */
const assertNotSeen = async (store: Store, session: Session, block: Block): Promise<void> => {
  if (block.state !== 'draft') return;
  const [first] = await inclusionsOf(store, block, session, { state: 'active' });
  if (first) throw inUse(first);
};

export const createBlock: ContentChange = async (request, tools) => {
  const { store } = tools;
  const body = request.body as BodyFor<'content_blocks.create'>;
  const { includes, centers, told } = await namedIn(tools, request.ws, body.content);
  const block = newBlock(request, body, includes);
  return async (session) => {
    await enterSpace(store, session, block.ws);
    await countIn(store, session, block.ws, { blocks: 1 });
    await assertNameFree(store, session, block);
    await assertNotSeen(store, session, block);
    await assertIncludable(store, session, block);
    await assertLinkable(store, session, { ws: block.ws, centers }, 'CONTENT_BLOCK_CENTER_UNKNOWN');
    await store.models.content_blocks.insertOne(block, { session });
    return { ...showChanged(block), ...told };
  };
};

const findToChange = async ({ content }: Store, session: Session, request: AcceptedRequest) => {
  const { content_block_id: _id } = request.body as { content_block_id: string };
  const block = await content.blocks.findOne({ _id, ws: request.ws }, { session });
  if (!block) throw new Rejection('CONTENT_BLOCK_UNKNOWN');
  if (isOvertaken(request, block.edited)) throw new Rejection('CONTENT_BLOCK_OVERTAKEN');
  return block;
};

const members = ['name', 'description', 'content', 'state', 'tags'] as const;

const changedIn = (before: Block, after: Block): string[] =>
  members.filter((member) => !isDeepStrictEqual(before[member], after[member]));

/** What is left out stays, save the state: without a word of it, it is active. */
const changeBlock = (
  before: Block,
  { at, by }: AcceptedRequest,
  { content_block_id: _, ...sent }: BodyFor<'content_blocks.update'>,
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
  const [first] = await inclusionsOf(store, before, session);
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
  const version = { ...before, _id: idOf(before.version), block: before._id };
  await store.models.content_versions.insertOne(version, { session });
};

const mayLeadElsewhere = ({ changed }: Block): boolean =>
  ['name', 'content', 'state'].some((member) => changed.includes(member));

export const updateBlock: ContentChange = async (request, tools) => {
  const { store } = tools;
  const body = request.body as BodyFor<'content_blocks.update'>;
  const named = body.content === undefined ? undefined : await namedIn(tools, request.ws, body.content);
  return async (session) => {
    await enterSpace(store, session, request.ws);
    const before = await findToChange(store, session, request);
    const after = changeBlock(before, request, body, named?.includes);
    if (after.changed.length === 0) return { ...showChanged(before), ...named?.told };
    assertState(before, after);
    await assertRenamable(store, session, before, after);
    if (mayLeadElsewhere(after)) await assertIncludable(store, session, after);
    const linking = { ws: request.ws, centers: named?.centers ?? [] };
    await assertLinkable(store, session, linking, 'CONTENT_BLOCK_CENTER_UNKNOWN');
    await keepVersion(store, session, before);
    await store.models.content_blocks.replaceOne({ _id: before._id }, after, { session });
    return { ...showChanged(after), ...named?.told };
  };
};

export const deleteBlock: ContentChange = async (request, { store }) => {
  const { ws, at, by } = request;
  const { force = false } = request.body as BodyFor<'content_blocks.delete'>;
  return async (session) => {
    await enterSpace(store, session, ws);
    const { _id, name } = await findToChange(store, session, request);
    const [first] = await inclusionsOf(store, { ws, name }, session);
    if (first && !force) throw inUse(first);
    const schedules = force ? [] : await schedulesWith(store, session, { ws, name });
    if (schedules.length > 0) throw inUse({ type: 'schedule', name: schedules.join(', ') });
    const expires = expiryOf(new Date(), limits.deletedDays);
    const { blocks, versions } = store.content;
    await blocks.deleteOne({ _id }, { session });
    const { deletedCount } = await versions.deleteMany({ block: _id }, { session });
    const deleted = { _id, ws, at, ...(by !== undefined && { by }), expires };
    await store.models.content_deleted.insertOne(deleted, { session });
    await countIn(store, session, ws, { blocks: -1, versions: -deletedCount });
    return { message: 'success' };
  };
};
