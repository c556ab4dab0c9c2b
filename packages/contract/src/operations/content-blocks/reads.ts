/** GET /content_blocks/list and GET /content_blocks/info. */
import { Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import {
  count,
  listOf,
  maybe,
  objectShape,
  oneOf,
  publishedKeyword,
  text,
  textOrNull,
  whole,
} from '../../shape.ts';
import { successAnswer } from '../answers.ts';
import { readRow } from '../messaging-row.ts';
import { contentTag } from './changes.ts';

/** The worker reads it, so that it can refuse it in the words of the interface. */
const sent = (description: string, published: object) =>
  maybe(text(description, { maxLength: 255, [publishedKeyword]: published }));

const time = { format: 'date-time' };

const listQuery = Type.Object({
  modified_after: sent('Only blocks that were changed at this time or later, ISO 8601.', time),
  modified_before: sent('Only blocks that were changed at this time or earlier, ISO 8601.', time),
  limit: sent('The most blocks in one answer, 1 to 1,000. Default: 100.', {
    pattern: '^([1-9][0-9]{0,2}|1000)$',
  }),
  offset: sent('How many blocks to skip, more than 0. Leave it out for the first page.', {
    pattern: '^[1-9][0-9]{0,8}$',
  }),
});

const shown = {
  content_block_id: text('Id of the block.'),
  name: text('Its name.'),
  content_type: oneOf(['html', 'text'], '`html` when the content holds a tag of HTML.'),
  inclusion_count: count('How many other contents include the block.'),
  created_at: text('When it was created, ISO 8601.'),
  last_edited: text('When it was last changed, ISO 8601.'),
  tags: listOf(text('A tag.'), 'Its tags.'),
};

const listAnswer = successAnswer('ContentBlockListAnswer', 'The blocks.', {
  count: count('How many blocks there are in all, on every page together.'),
  content_blocks: listOf(
    objectShape('ContentBlock', 'A content block.', {
      ...shown,
      liquid_tag: text('The Liquid tag that includes the block in other content.'),
    }),
    'The block that was changed last comes first.',
  ),
});

export const contentBlocksList = operation({
  ...readRow,
  id: 'content_blocks.list',
  path: '/content_blocks/list',
  tag: contentTag,
  summary: 'The content blocks of the workspace',
  description: 'Without their content. Both times are inclusive.',
  request: { query: listQuery },
  responses: { 200: listAnswer },
  rejections: [
    'MODIFIED_AFTER_INVALID',
    'MODIFIED_BEFORE_INVALID',
    'MODIFIED_ORDER_INVALID',
    'CONTENT_BLOCK_LIMIT_INVALID',
    'CONTENT_BLOCK_LIMIT_TOO_LOW',
    'CONTENT_BLOCK_LIMIT_TOO_HIGH',
    'OFFSET_INVALID',
    'OFFSET_TOO_LOW',
  ],
  examples: [
    example('What was changed this year', {
      query: { modified_after: '2026-01-01T00:00:00Z', limit: '50' },
      200: {
        count: 1,
        content_blocks: [
          {
            content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11',
            name: 'footer',
            content_type: 'html',
            liquid_tag: `{{content_blocks.\${footer}}}`,
            inclusion_count: 3,
            created_at: '2026-01-31T12:00:00.000Z',
            last_edited: '2026-01-31T12:00:00.000Z',
            tags: [],
          },
        ],
      },
    }),
  ],
});

const infoQuery = Type.Object({
  content_block_id: sent('Id of the block.', { minLength: 1 }),
  include_inclusion_data: sent('Whether `inclusion_data` says what includes the block.', {
    enum: ['true', 'false'],
  }),
  version: sent('Another version than the latest one: a number that `versions` shows.', {
    pattern: '^[1-9][0-9]{0,8}$',
  }),
});

const editor = objectShape('ContentEditor', 'Who made a change.', {
  key: text('Id of the API key.'),
  name: textOrNull('Name of the key.'),
});

const version = objectShape('ContentBlockVersion', 'One version.', {
  version: whole('Number of the version.', { minimum: 1 }),
  state: oneOf(['active', 'draft'], 'The state of the block in it.'),
  edited_at: text('When it was made, ISO 8601.'),
  edited_by: maybe(editor),
  changed: listOf(text('A member.'), 'What is different from the version before.'),
});

const inclusion = objectShape('ContentInclusion', 'Content that includes the block.', {
  type: oneOf(['content_block', 'preference_center'], 'What kind of content it is.'),
  id: text('Its id.'),
  name: text('Its name.'),
});

const infoAnswer = successAnswer('ContentBlockInfoAnswer', 'The block.', {
  ...shown,
  content: text('The content.'),
  description: textOrNull('What the block is for.'),
  inclusion_data: listOf(inclusion, 'What includes it; empty unless asked for.'),
  version: whole('Which version this is.', { minimum: 1 }),
  versions: listOf(
    version,
    'The last 100 versions, the newest first; an older one that is asked for comes after them.',
  ),
});

export const contentBlocksInfo = operation({
  ...readRow,
  id: 'content_blocks.info',
  path: '/content_blocks/info',
  tag: contentTag,
  summary: 'A content block with its content and versions',
  description: 'With `version`, the name, content, description and tags are those of that version.',
  request: { query: infoQuery },
  responses: { 200: infoAnswer },
  rejections: [
    'CONTENT_BLOCK_ID_BLANK',
    'CONTENT_BLOCK_UNKNOWN',
    'CONTENT_BLOCK_DELETED',
    'CONTENT_VERSION_UNKNOWN',
    'INCLUSION_DATA_INVALID',
  ],
  examples: [
    example('The latest version', {
      query: {
        content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11',
        include_inclusion_data: 'true',
      },
      200: {
        content_block_id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11',
        name: 'footer',
        content: '<p>Example Ltd, 1 Example Street</p>',
        description: 'What every email ends with',
        content_type: 'html',
        tags: [],
        created_at: '2026-01-31T12:00:00.000Z',
        last_edited: '2026-01-31T12:00:00.000Z',
        inclusion_count: 1,
        inclusion_data: [
          { type: 'content_block', id: '0c8e91a6-1c2d-8e3f-8a5b-6c7d8e9f0a1b', name: 'newsletter' },
        ],
        version: 1,
        versions: [
          {
            version: 1,
            state: 'active',
            edited_at: '2026-01-31T12:00:00.000Z',
            edited_by: { key: '4f2a', name: 'marketing' },
            changed: ['name', 'description', 'content', 'state'],
          },
        ],
      },
    }),
  ],
});
