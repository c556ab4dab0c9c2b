/** What the operations on content blocks have in common. */
import { Type } from '@sinclair/typebox';
import { isCleanText, isLongerThan, isLongerThanBytes } from '../../formats/text.ts';
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection, type RejectionCode } from '../../rejections/rejections.ts';
import { plain, shape, text } from '../../shape.ts';
import {
  isBlank,
  isNoText,
  isTextWhere,
  longestName,
  refuseMember,
  refuseTags,
  success,
  unknownNames,
  usualName,
  type Value,
  writeRow,
} from '../messaging-row.ts';
import { queuedAnswer } from '../queued-answer.ts';

export const contentTag = 'Content blocks';

const longestDescription = 249;
const mostBytes = 50 * 1024 - 1;

const isGivenAnd =
  (is: (value: Value) => boolean) =>
  (value: Value): boolean =>
    value !== undefined && is(value);

type Check = [RejectionCode, (value: Value) => boolean];

/** Of a name that is no text the schema tells. */
const nameChecks: readonly Check[] = [
  ['CONTENT_BLOCK_NAME_TOO_LONG', isTextWhere((name) => isLongerThan(name, longestName))],
  ['CONTENT_BLOCK_NAME_INVALID', isTextWhere((name) => !usualName.test(name))],
];

const contentChecks: readonly Check[] = [
  ['CONTENT_NOT_A_STRING', isGivenAnd(isNoText)],
  ['CONTENT_TOO_LARGE', isTextWhere((content) => isLongerThanBytes(content, mostBytes))],
];

/** Of a new block both are there. */
export const refuseNew: readonly BodyRule[] = [
  refuseMember('name', ['CONTENT_BLOCK_NAME_BLANK', isBlank], ...nameChecks),
  refuseMember('content', ['CONTENT_BLANK', isBlank], ...contentChecks),
];

/** Of a block that is there each may be left out. */
export const refuseChanged: readonly BodyRule[] = [
  refuseMember('name', ['CONTENT_BLOCK_NAME_BLANK', isGivenAnd(isBlank)], ...nameChecks),
  refuseMember('content', ['CONTENT_BLANK', isGivenAnd(isBlank)], ...contentChecks),
];

export const refuseNoId = refuseMember('content_block_id', ['CONTENT_BLOCK_ID_BLANK', isBlank]);

const refuseDescription = refuseMember(
  'description',
  ['CONTENT_BLOCK_DESCRIPTION_BLANK', isGivenAnd(isBlank)],
  ['CONTENT_BLOCK_DESCRIPTION_NOT_A_STRING', isGivenAnd(isNoText)],
  [
    'CONTENT_BLOCK_DESCRIPTION_TOO_LONG',
    isTextWhere((description) => isLongerThan(description, longestDescription)),
  ],
);

const refuseState = refuseMember('state', [
  'CONTENT_BLOCK_STATE_INVALID',
  isGivenAnd((state) => state !== 'active' && state !== 'draft'),
]);

const refuseUnclean: BodyRule = (body) => {
  for (const member of ['content', 'description'] as const) {
    const value = body[member];
    if (typeof value === 'string' && !isCleanText(value))
      return new Rejection('BODY_INVALID', { message: `${member} must be well-formed text without NUL` });
  }
  return undefined;
};

/** After the rules about name and content, which differ between create and update. */
export const commonRules: readonly BodyRule[] = [refuseDescription, refuseState, refuseTags, refuseUnclean];

/** What `commonRules` refuse. */
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

/** The rules have seen the body: each text is short enough, and white space does not count as one. */
const notBlank = { pattern: '\\S' };

export const blockMembers = {
  content_block_id: text('Id of the block.', { ...notBlank, maxLength: 255 }),
  name: text('Fewer than 100 letters (A to Z), digits, `-` and `_`; unique in the workspace.', {
    pattern: usualName.source,
    maxLength: longestName,
  }),
  content: text('HTML or text with Liquid, less than 50 KB (51,200 bytes) as UTF-8.', {
    ...notBlank,
    maxLength: mostBytes,
  }),
  description: text('Fewer than 250 characters.', { ...notBlank, maxLength: longestDescription }),
  state: plain<'active' | 'draft'>({
    type: 'string',
    enum: ['active', 'draft'],
    description: 'Default: `active`. An active block cannot become a draft again.',
  }),
  tags: Type.Array(text('A tag of the workspace.'), { description: 'Tags of the workspace.' }),
};

/** Each tag once. */
const tidyBlock = (body: JsonObject): JsonObject =>
  Array.isArray(body.tags) ? { ...body, tags: [...new Set(body.tags)] } : body;

const blockAnswer = shape(
  'ContentBlockAnswer',
  Type.Object(
    {
      content_block_id: text('Id of the block.'),
      liquid_tag: text('The Liquid tag that includes the block in other content.'),
      created_at: text('When the block was created, ISO 8601.'),
      message: success,
      ...unknownNames,
    },
    { description: 'The block after the change.' },
  ),
);

/** What creating and changing a block have in common. */
export const blockRow = {
  ...writeRow,
  tag: contentTag,
  tidy: tidyBlock,
  responses: { 201: blockAnswer, 202: queuedAnswer },
} as const;
