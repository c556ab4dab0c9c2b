/** POST /content_blocks/create. */
import { type Static, Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import { maybe } from '../../shape.ts';
import {
  blockMembers,
  blockRow,
  commonRejections,
  commonRules,
  contentRejections,
  nameRejections,
} from './block.ts';

export const newBlock = Type.Object({
  name: blockMembers.name,
  content: blockMembers.content,
  description: maybe(blockMembers.description),
  state: maybe(blockMembers.state),
  tags: maybe(blockMembers.tags),
});

export type NewContentBlock = Static<typeof newBlock>;

export const contentBlocksCreate = operation({
  ...blockRow,
  id: 'content_blocks.create',
  path: '/content_blocks/create',
  summary: 'Create a content block',
  description:
    'Content for messages and pages, under a name. Other content includes it with its `liquid_tag`. If two requests create the same name at the same moment, one is refused.',
  request: { body: newBlock },
  before: commonRules,
  rejections: [
    ...nameRejections,
    ...contentRejections,
    ...commonRejections,
    'CONTENT_BLOCKS_FULL',
    'CONTENT_BLOCK_IN_USE',
  ],
  examples: [
    example('A footer', {
      body: {
        name: 'footer',
        description: 'What every email ends with',
        content: '<p>Example Ltd, 1 Example Street</p>',
        state: 'active',
      },
      201: {
        content_block_id: '7b1f3a54-0a3c-4c1e-9a2b-2f6f0a5c9d11',
        liquid_tag: `{{content_blocks.\${footer}}}`,
        created_at: '2026-01-31T12:00:00.000Z',
        message: 'success',
      },
    }),
  ],
});
