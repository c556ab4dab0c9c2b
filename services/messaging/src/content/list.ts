/** GET /content_blocks/list. */
import { type QueryFor, Rejection, type RejectionCode } from '@roster/contract';
import type { Read } from '../handler.ts';
import { queryTime } from '../query-time.ts';
import { countInclusions } from './inclusions.ts';
import { liquidTagOf, showBlock } from './show-block.ts';

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
  const found = await blocks.find(wanted).sort({ edited: -1, _id: -1 }).skip(skip).limit(limit).toArray();
  const counts = await countInclusions(
    store,
    ws,
    found.map(({ name }) => name),
  );
  return {
    count: await blocks.countDocuments(wanted),
    content_blocks: found.map((block) => ({
      ...showBlock(block, block, counts.get(block.name) ?? 0),
      liquid_tag: liquidTagOf(block.name),
    })),
    message: 'success',
  };
};
