/** POST /content_blocks/update. */
import { type Static, Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import {
  blockMembers,
  blockRow,
  commonRejections,
  commonRules,
  contentRejections,
  nameRejections,
} from './block.ts';
import { newBlock } from './create.ts';

/** Each member of a new block may be left out. */
const body = Type.Object({
  content_block_id: blockMembers.content_block_id,
  ...Type.Partial(newBlock).properties,
});

export type ContentBlockChange = Static<typeof body>;

export const contentBlocksUpdate = operation({
  ...blockRow,
  id: 'content_blocks.update',
  path: '/content_blocks/update',
  summary: 'Change a content block',
  description:
    'Members that are left out stay as they are, except `state`: a draft becomes active unless `draft` is sent. `tags` replaces the whole list. Only a draft that nothing includes can be renamed. The version before the change is kept.',
  request: { body },
  before: commonRules,
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
    example('A new address', {
      body: {
        content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11',
        content: '<p>Example Ltd, 2 Example Square</p>',
      },
      201: {
        content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11',
        liquid_tag: `{{content_blocks.\${footer}}}`,
        created_at: '2026-01-31T12:00:00.000Z',
        message: 'success',
      },
    }),
  ],
});
