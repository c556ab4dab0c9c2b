/** GET /content_blocks/list and /content_blocks/info, and how answers show a content block. */

import { type QueryFor, Rejection, type RejectionCode } from '@roster/contract';
import { type ContentBlockDocument, type ContentVersion, namesOfKeys, type Store } from '@roster/store';
import type { Read } from '../handler.ts';
import { queryTime, timeOf } from '../stamp.ts';
import { countInclusions, inclusionsOf } from './inclusions.ts';

export const liquidTagOf = (name: string): string => `{{content_blocks.\${${name}}}}`;

export const showChanged = ({ _id, name, created }: ContentBlockDocument): object => ({
  content_block_id: _id,
  liquid_tag: liquidTagOf(name),
  created_at: timeOf(created),
  message: 'success',
});

const htmlTag = /<[a-z!/][^<>]*>/i;

/** What `list` and `info` both show. */
const showBlock = (
  { _id, created }: Pick<ContentBlockDocument, '_id' | 'created'>,
  { name, content, tags, edited }: ContentVersion,
  inclusions: number,
) => ({
  content_block_id: _id,
  name,
  content_type: htmlTag.test(content) ? 'html' : 'text',
  inclusion_count: inclusions,
  created_at: timeOf(created),
  last_edited: timeOf(edited),
  tags,
});

const usualLimit = 100;
const mostBlocks = 1_000;

const wholeNumber = /^-?\d{1,15}$/;

const timeIn = (sent: string | undefined, code: RejectionCode): number | undefined => {
  if (sent === undefined) return undefined;
  const time = queryTime(sent);
  if (time === undefined) throw new Rejection(code);
  return time * 1000;
};

const numberIn = (sent: string | undefined, codes: { invalid: RejectionCode; low: RejectionCode }) => {
  if (sent === undefined) return undefined;
  if (!wholeNumber.test(sent)) throw new Rejection(codes.invalid);
  if (Number(sent) < 1) throw new Rejection(codes.low);
  return Number(sent);
};

const limitIn = ({ limit }: QueryFor<'content_blocks.list'>): number => {
  const codes = { invalid: 'CONTENT_BLOCK_LIMIT_INVALID', low: 'CONTENT_BLOCK_LIMIT_TOO_LOW' } as const;
  const most = numberIn(limit, codes) ?? usualLimit;
  if (most > mostBlocks) throw new Rejection('CONTENT_BLOCK_LIMIT_TOO_HIGH');
  return most;
};

/** Stamps are microseconds, and times that people write are at most milliseconds. */
const wholeMillisecond = 999;

const editedIn = ({ modified_after, modified_before }: QueryFor<'content_blocks.list'>) => {
  const after = timeIn(modified_after, 'MODIFIED_AFTER_INVALID');
  const before = timeIn(modified_before, 'MODIFIED_BEFORE_INVALID');
  if (after !== undefined && before !== undefined && after > before)
    throw new Rejection('MODIFIED_ORDER_INVALID');
  if (after === undefined && before === undefined) return {};
  const edited = {
    ...(after !== undefined && { $gte: after }),
    ...(before !== undefined && { $lte: before + wholeMillisecond }),
  };
  return { edited };
};

export const listBlocks: Read = async ({ ws, query }, { store }) => {
  const asked = (query ?? {}) as QueryFor<'content_blocks.list'>;
  const wanted = { ws, ...editedIn(asked) };
  const limit = limitIn(asked);
  const skip = numberIn(asked.offset, { invalid: 'OFFSET_INVALID', low: 'OFFSET_TOO_LOW' }) ?? 0;
  const { blocks } = store.content;
  const page = blocks.find(wanted).sort({ edited: -1, _id: -1 }).skip(skip).limit(limit);
  const [found, count] = await Promise.all([page.toArray(), blocks.countDocuments(wanted)]);
  const names = found.map(({ name }) => name);
  const counts = await countInclusions(store, ws, names);
  return {
    count,
    content_blocks: found.map((block) => ({
      ...showBlock(block, block, counts.get(block.name) ?? 0),
      liquid_tag: liquidTagOf(block.name),
    })),
    message: 'success',
  };
};

const mostVersions = 100;

const find = async ({ content }: Store, ws: string, id: string): Promise<ContentBlockDocument> => {
  const block = await content.blocks.findOne({ _id: id, ws });
  if (block) return block;
  const isDeleted = (await content.deleted.findOne({ _id: id, ws })) !== null;
  throw new Rejection(isDeleted ? 'CONTENT_BLOCK_DELETED' : 'CONTENT_BLOCK_UNKNOWN');
};

const asOf = async ({ content }: Store, block: ContentBlockDocument, version: string | undefined) => {
  if (version === undefined || version === String(block.version)) return block;
  const found = await content.versions.findOne({ _id: `${block._id}:${version}` });
  if (!found) throw new Rejection('CONTENT_VERSION_UNKNOWN');
  return found;
};

type InfoMembers = Pick<ContentVersion, 'version' | 'state' | 'edited' | 'by' | 'changed'>;

const told = { version: 1, state: 1, edited: 1, by: 1, changed: 1 } as const;

const versionsOf = async ({ content }: Store, block: ContentBlockDocument): Promise<InfoMembers[]> => {
  const options = { projection: told, sort: { version: -1 }, limit: mostVersions - 1 } as const;
  const before = await content.versions.find<InfoMembers>({ block: block._id }, options).toArray();
  return [block, ...before];
};

/** Also of the version that is asked for, however old it is. */
const showVersions = async (store: Store, block: ContentBlockDocument, asked: InfoMembers) => {
  const last = await versionsOf(store, block);
  const versions = last.some(({ version }) => version === asked.version) ? last : [...last, asked];
  const keys = versions.map(({ by }) => by);
  const names = await namesOfKeys(store, keys);
  return versions.map(({ version, state, edited, by, changed }) => ({
    version,
    state,
    edited_at: timeOf(edited),
    ...(by !== undefined && { edited_by: { key: by, name: names.get(by) ?? null } }),
    changed,
  }));
};

const flagIn = (sent: string | undefined): boolean => {
  if (sent !== undefined && sent !== 'true' && sent !== 'false')
    throw new Rejection('INCLUSION_DATA_INVALID');
  return sent === 'true';
};

export const readBlock: Read = async ({ ws, query }, { store }) => {
  const asked = (query ?? {}) as QueryFor<'content_blocks.info'>;
  const { content_block_id: id = '', include_inclusion_data, version } = asked;
  if (id.trim() === '') throw new Rejection('CONTENT_BLOCK_ID_BLANK');
  const isToldAll = flagIn(include_inclusion_data);
  const block = await find(store, ws, id);
  const shown = await asOf(store, block, version);
  const inclusions = await inclusionsOf(store, block);
  return {
    ...showBlock(block, shown, inclusions.length),
    content: shown.content,
    description: shown.description ?? null,
    inclusion_data: isToldAll ? inclusions : [],
    version: shown.version,
    versions: await showVersions(store, block, shown),
    message: 'success',
  };
};
