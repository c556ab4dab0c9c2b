/** POST /content_blocks/delete: ours. */
import { type Static, Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import { flag, maybe } from '../../shape.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import { writeRow } from '../messaging-row.ts';
import { blockMembers, contentTag } from './block.ts';

const body = Type.Object({
  content_block_id: blockMembers.content_block_id,
  force: maybe(flag('Delete the block even if something includes it.')),
});

export type ContentBlockDeletion = Static<typeof body>;

const deletedAnswer = successAnswer('ContentBlockDeletedAnswer', 'The block is gone, with its versions.', {});

export const contentBlocksDelete = operation({
  ...writeRow,
  id: 'content_blocks.delete',
  path: '/content_blocks/delete',
  tag: contentTag,
  summary: 'Delete a content block',
  description:
    'Deletes the block with all its versions; its name is free again. Refused while something includes the block (another block, a preference center, a schedule that waits or is being sent), unless `force` is sent: then it is rendered as nothing there.',
  request: { body },
  responses: { 201: deletedAnswer, 202: queuedAnswer },
  rejections: [
    'CONTENT_BLOCK_ID_BLANK',
    'CONTENT_BLOCK_UNKNOWN',
    'CONTENT_BLOCK_IN_USE',
    'CONTENT_BLOCK_OVERTAKEN',
  ],
  examples: [
    example('A block that nothing includes', {
      body: { content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11' },
      201: { message: 'success' },
    }),
  ],
});
