/** GET /content_blocks/info. */
import { type QueryFor, Rejection } from '@roster/contract';
import { type ContentBlockDocument, type ContentVersion, namesOfKeys, type Store } from '@roster/store';
import type { Read } from '../handler.ts';
import { timeOf } from '../stamp.ts';
import { inclusionsOf } from './inclusions.ts';
import { showBlock } from './show-block.ts';

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
  const names = await namesOfKeys(
    store,
    versions.map(({ by }) => by),
  );
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
  const inclusions = await inclusionsOf(store, ws, block.name);
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
