/** What the operations on content blocks have in common. */
import type { BodyRule, JsonObject } from '../../operation.ts';
import { listOf, oneOf, text } from '../../shape.ts';
import { queuedAnswer, successAnswer } from '../answers.ts';
import {
  longestName,
  refuseTags,
  refuseUnclean,
  unknownNames,
  usualName,
  writeRow,
} from '../messaging-row.ts';

export const contentTag = 'Content blocks';

const longestDescription = 249;
const mostBytes = 50 * 1024 - 1;

/** What the schema cannot say. */
export const commonRules: readonly BodyRule[] = [refuseTags, refuseUnclean('content', 'description')];

/** Of what stands beside name and content. */
export const commonRejections = [
  'CONTENT_BLOCK_DESCRIPTION_BLANK',
  'CONTENT_BLOCK_DESCRIPTION_NOT_A_STRING',
  'CONTENT_BLOCK_DESCRIPTION_TOO_LONG',
  'CONTENT_BLOCK_STATE_INVALID',
  'TAGS_NOT_AN_ARRAY',
  'TAGS_NOT_STRINGS',
  'TAGS_UNKNOWN',
] as const;

export const nameRejections = [
  'CONTENT_BLOCK_NAME_BLANK',
  'CONTENT_BLOCK_NAME_TOO_LONG',
  'CONTENT_BLOCK_NAME_INVALID',
  'CONTENT_BLOCK_NAME_TAKEN',
] as const;

export const contentRejections = [
  'CONTENT_BLANK',
  'CONTENT_NOT_A_STRING',
  'CONTENT_TOO_LARGE',
  'CONTENT_MALFORMED',
  'CONTENT_BLOCK_IN_ITSELF',
  'CONTENT_BLOCK_INCLUDED_UNKNOWN',
  'CONTENT_BLOCK_INCLUDES_TOO_MANY',
  'CONTENT_BLOCK_CENTER_UNKNOWN',
] as const;

const notBlank = { pattern: '\\S' };

export const blockMembers = {
  content_block_id: text('Id of the block.', {
    ...notBlank,
    maxLength: 255,
    'x-errors': { blank: 'CONTENT_BLOCK_ID_BLANK' },
  }),
  name: text('Fewer than 100 letters (A to Z), digits, `-` and `_`; unique in the workspace.', {
    pattern: usualName.source,
    maxLength: longestName,
    'x-errors': {
      blank: 'CONTENT_BLOCK_NAME_BLANK',
      maxLength: 'CONTENT_BLOCK_NAME_TOO_LONG',
      pattern: 'CONTENT_BLOCK_NAME_INVALID',
    },
  }),
  content: text('HTML or text with Liquid, less than 50 KB (51,200 bytes) as UTF-8.', {
    ...notBlank,
    maxLength: mostBytes,
    'x-max-bytes': mostBytes,
    'x-errors': {
      blank: 'CONTENT_BLANK',
      type: 'CONTENT_NOT_A_STRING',
      maxLength: 'CONTENT_TOO_LARGE',
      'x-max-bytes': 'CONTENT_TOO_LARGE',
    },
  }),
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

/** Each tag once. */
const tidyBlock = (body: JsonObject): JsonObject =>
  Array.isArray(body.tags) ? { ...body, tags: [...new Set(body.tags)] } : body;

const blockAnswer = successAnswer('ContentBlockAnswer', 'The block after the change.', {
  content_block_id: text('Id of the block.'),
  liquid_tag: text('The Liquid tag that includes the block in other content.'),
  created_at: text('When the block was created, ISO 8601.'),
  ...unknownNames,
});

/** What creating and changing a block have in common. */
export const blockRow = {
  ...writeRow,
  tag: contentTag,
  tidy: tidyBlock,
  responses: { 201: blockAnswer, 202: queuedAnswer },
} as const;
