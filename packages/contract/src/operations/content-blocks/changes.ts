/** POST /content_blocks/create, /update and /delete; the last is ours. */
import { Type } from '@sinclair/typebox';
import { type BodyRule, example, type JsonObject, operation } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import { flag, listOf, maybe, oneOf, optional, text } from '../../shape.ts';
import { resultOrQueued } from '../answers.ts';
import { notBlank, refuseUnclean, template, uniqueName, unknownNames, writeRow } from '../messaging-row.ts';

export const contentTag = 'Content blocks';

const longestDescription = 249;

const nameRejections = [
  'CONTENT_BLOCK_NAME_BLANK',
  'CONTENT_BLOCK_NAME_TOO_LONG',
  'CONTENT_BLOCK_NAME_INVALID',
  'CONTENT_BLOCK_NAME_TAKEN',
] as const;

/** Of the content, and of what stands beside it. */
const contentRejections = [
  'CONTENT_BLANK',
  'CONTENT_NOT_A_STRING',
  'CONTENT_TOO_LARGE',
  'CONTENT_MALFORMED',
  'CONTENT_BLOCK_IN_ITSELF',
  'CONTENT_BLOCK_INCLUDED_UNKNOWN',
  'CONTENT_BLOCK_INCLUDES_TOO_MANY',
  'CONTENT_BLOCK_CENTER_UNKNOWN',
  'CONTENT_BLOCK_DESCRIPTION_BLANK',
  'CONTENT_BLOCK_DESCRIPTION_NOT_A_STRING',
  'CONTENT_BLOCK_DESCRIPTION_TOO_LONG',
  'CONTENT_BLOCK_STATE_INVALID',
  'TAGS_NOT_AN_ARRAY',
  'TAGS_NOT_STRINGS',
  'TAGS_UNKNOWN',
] as const;

const content_block_id = text('Id of the block.', {
  ...notBlank,
  maxLength: 255,
  'x-errors': { blank: 'CONTENT_BLOCK_ID_BLANK' },
});

const nameAndContent = {
  name: uniqueName('', {
    blank: 'CONTENT_BLOCK_NAME_BLANK',
    maxLength: 'CONTENT_BLOCK_NAME_TOO_LONG',
    pattern: 'CONTENT_BLOCK_NAME_INVALID',
  }),
  content: template(
    'HTML or text with Liquid, less than 50 KB (51,200 bytes) as UTF-8.',
    50 * 1024,
    'CONTENT',
  ),
};

const others = {
  description: text('Fewer than 250 characters.', {
    ...notBlank,
    maxLength: longestDescription,
    'x-errors': {
      blank: 'CONTENT_BLOCK_DESCRIPTION_BLANK',
      type: 'CONTENT_BLOCK_DESCRIPTION_NOT_A_STRING',
      maxLength: 'CONTENT_BLOCK_DESCRIPTION_TOO_LONG',
    },
  }),
  state: oneOf(['active', 'draft'], 'Default: `active`. An active block cannot become a draft again.', {
    'x-errors': { type: 'CONTENT_BLOCK_STATE_INVALID', enum: 'CONTENT_BLOCK_STATE_INVALID' },
  }),
  tags: listOf(
    text('A tag of the workspace.', { 'x-errors': { type: 'TAGS_NOT_STRINGS' } }),
    'Tags of the workspace.',
    { 'x-errors': { type: 'TAGS_NOT_AN_ARRAY' } },
  ),
};

/** Tags are made in the settings of the workspace. */
const refuseTags: BodyRule = ({ tags }, settings) =>
  Array.isArray(tags) && !tags.every((tag) => settings.tags.has(String(tag)))
    ? new Rejection('TAGS_UNKNOWN')
    : undefined;

/** Each tag once. */
const tidyBlock = (body: JsonObject): JsonObject =>
  Array.isArray(body.tags) ? { ...body, tags: [...new Set(body.tags)] } : body;

/** What creating and changing a block have in common. */
const blockRow = {
  ...writeRow,
  tag: contentTag,
  before: [refuseTags, refuseUnclean('content', 'description')],
  tidy: tidyBlock,
  responses: resultOrQueued('ContentBlockAnswer', 'The block after the change.', {
    content_block_id: text('Id of the block.'),
    liquid_tag: text('The Liquid tag that includes the block in other content.'),
    created_at: text('When the block was created, ISO 8601.'),
    ...unknownNames,
  }),
} as const;

export const contentBlocksCreate = operation({
  ...blockRow,
  id: 'content_blocks.create',
  path: '/content_blocks/create',
  summary: 'Create a content block',
  description:
    'Content for messages and pages, under a name. Other content includes it with its `liquid_tag`. If two requests create the same name at the same moment, one is refused.',
  request: { body: Type.Object({ ...nameAndContent, ...optional(others) }) },
  rejections: [...nameRejections, ...contentRejections, 'CONTENT_BLOCKS_FULL', 'CONTENT_BLOCK_IN_USE'],
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
      },
    }),
  ],
});

export const contentBlocksUpdate = operation({
  ...blockRow,
  id: 'content_blocks.update',
  path: '/content_blocks/update',
  summary: 'Change a content block',
  description:
    'Members that are left out stay as they are, except `state`: a draft becomes active unless `draft` is sent. `tags` replaces the whole list. Only a draft that nothing includes can be renamed. The version before the change is kept.',
  request: { body: Type.Object({ content_block_id, ...optional({ ...nameAndContent, ...others }) }) },
  rejections: [
    'CONTENT_BLOCK_ID_BLANK',
    'CONTENT_BLOCK_UNKNOWN',
    ...nameRejections,
    'CONTENT_BLOCK_NAME_FIXED',
    'CONTENT_BLOCK_IN_USE',
    ...contentRejections,
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
      },
    }),
  ],
});

const deletion = Type.Object({
  content_block_id,
  force: maybe(flag('Delete the block even if something includes it.')),
});

export const contentBlocksDelete = operation({
  ...writeRow,
  id: 'content_blocks.delete',
  path: '/content_blocks/delete',
  tag: contentTag,
  summary: 'Delete a content block',
  description:
    'Deletes the block with all its versions; its name is free again. Refused while something includes the block (another block, a preference center, a schedule that waits or is being sent), unless `force` is sent: then it is rendered as nothing there.',
  request: { body: deletion },
  responses: resultOrQueued('ContentBlockDeletedAnswer', 'The block is gone, with its versions.', {}),
  rejections: [
    'CONTENT_BLOCK_ID_BLANK',
    'CONTENT_BLOCK_UNKNOWN',
    'CONTENT_BLOCK_IN_USE',
    'CONTENT_BLOCK_OVERTAKEN',
  ],
  examples: [
    example('A block that nothing includes', {
      body: { content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11' },
      201: {},
    }),
  ],
});
