/** POST /content_blocks/update. */
import { type Static, Type } from '@sinclair/typebox';
import { operation } from '../../operation.ts';
import { queuedAnswer } from '../track/sync.ts';
import { writeRow } from './common.ts';
import {
  blockAnswer,
  blockMembers,
  commonRejections,
  commonRules,
  contentRejections,
  contentTag,
  nameRejections,
  refuseChanged,
  refuseNoId,
  tidyBlock,
} from './content-block.ts';

const body = Type.Object({
  content_block_id: blockMembers.content_block_id,
  name: Type.Optional(blockMembers.name),
  description: Type.Optional(blockMembers.description),
  content: Type.Optional(blockMembers.content),
  state: Type.Optional(blockMembers.state),
  tags: Type.Optional(blockMembers.tags),
});

export type ContentBlockChange = Static<typeof body>;

export const contentBlocksUpdate = operation({
  ...writeRow,
  id: 'content_blocks.update',
  path: '/content_blocks/update',
  permission: 'content_blocks.update',
  tag: contentTag,
  summary: 'Change a content block',
  description:
    'What is left out stays, save `state`: a draft becomes active unless `draft` is sent. `tags` replace the whole list. Only a draft that nothing includes can be renamed. The version before the change is kept.',
  request: { body },
  before: [refuseNoId, ...refuseChanged, ...commonRules],
  tidy: tidyBlock,
  responses: { 201: blockAnswer, 202: queuedAnswer },
  rejections: [
    'CONTENT_BLOCK_ID_BLANK',
    'CONTENT_BLOCK_UNKNOWN',
    ...nameRejections,
    'CONTENT_BLOCK_NAME_FIXED',
    'CONTENT_BLOCK_IN_USE',
    ...contentRejections,
    ...commonRejections,
    'CONTENT_BLOCK_ACTIVE',
    'CONTENT_VERSIONS_FULL',
    'CONTENT_BLOCK_OVERTAKEN',
  ],
  examples: [
    {
      title: 'A new address',
      request: {
        body: {
          content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11',
          content: '<p>Example Ltd, 2 Example Square</p>',
        },
      },
      response: {
        status: 201,
        body: {
          content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11',
          liquid_tag: `{{content_blocks.\${footer}}}`,
          created_at: '2026-01-31T12:00:00.000Z',
          message: 'success',
        },
      },
    },
  ],
});
