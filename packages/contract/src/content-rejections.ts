/** Why requests about content are refused, in the words of the interface, and for reasons of our own. A part of the catalogue in rejections.ts. */
import type { RejectionEntry } from './rejection-entry.ts';

const refused = <const Message extends string>(message: Message, description: string, remedy: string) => ({
  status: 400,
  message,
  description,
  remedy,
});

export const contentRejections = {
  CONTENT_BLANK: refused(
    'Content cannot be blank',
    '`content` is missing or holds nothing but white space.',
    'Send the content of the block.',
  ),
  CONTENT_NOT_A_STRING: refused(
    'Content must be a string',
    '`content` is no text.',
    'Send HTML or text as one string.',
  ),
  CONTENT_TOO_LARGE: refused(
    'Content must be smaller than 50kb',
    '`content` has 51,200 bytes or more, as UTF-8.',
    'Split the content into blocks that include each other.',
  ),
  CONTENT_BLOCK_DESCRIPTION_BLANK: refused(
    'Content Block description cannot be blank',
    '`description` is there, but holds nothing but white space.',
    'Leave it out, or say something.',
  ),
  CONTENT_BLOCK_DESCRIPTION_NOT_A_STRING: refused(
    'Content Block description must be a string',
    '`description` is no text.',
    'Send a string.',
  ),
  CONTENT_BLOCK_DESCRIPTION_TOO_LONG: refused(
    'Content Block description must be shorter than 250 characters',
    '`description` has 250 characters or more.',
    'Shorten it.',
  ),
  CONTENT_BLOCK_NAME_BLANK: refused(
    'Content Block name cannot be blank',
    '`name` is missing or holds nothing but white space.',
    'Name the block.',
  ),
  CONTENT_BLOCK_NAME_TOO_LONG: refused(
    'Content Block name must be shorter than 100 characters',
    '`name` has 100 characters or more.',
    'Choose a shorter name.',
  ),
  CONTENT_BLOCK_NAME_INVALID: refused(
    'Content Block name can only contain alphanumeric characters',
    '`name` holds something else than letters A to Z, digits, `-` and `_`.',
    'Choose another name.',
  ),
  CONTENT_BLOCK_NAME_TAKEN: refused(
    'Content Block with this name already exists',
    'Another block of the workspace has this name.',
    'Choose another name, or update that block.',
  ),
  CONTENT_BLOCK_STATE_INVALID: refused(
    'Content Block state must be either active or draft',
    '`state` is something else.',
    'Send `active` or `draft`.',
  ),
  TAGS_NOT_AN_ARRAY: refused(
    'Tags must be an array',
    '`tags` is no array.',
    'Send an array, also of a single tag.',
  ),
  TAGS_NOT_STRINGS: refused(
    'All tags must be strings',
    'Something in `tags` is no text.',
    'Send the names of the tags.',
  ),
  TAGS_UNKNOWN: refused(
    'Some tags could not be found',
    'The workspace does not have one of the tags. Tags are made in its settings.',
    'Use tags of the workspace, or add the tag with `roster workspace apply`.',
  ),
  CONTENT_BLOCKS_FULL: refused(
    'The workspace has as many Content Blocks as it may have',
    'A workspace keeps 2,000 blocks.',
    'Delete blocks that nothing uses.',
  ),
} as const satisfies Record<string, RejectionEntry>;
