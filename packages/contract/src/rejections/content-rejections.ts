/** Why requests about content are refused, in the words of the interface, and for reasons of our own. A part of the catalogue in rejections.ts. */
import { type RejectionEntry, refused, rejected } from './rejection-entry.ts';

export const contentRejections = {
  CONTENT_BLANK: refused(
    'Content cannot be blank',
    '`content` is missing or holds nothing but white space.',
    'Send the content of the block.',
  ),
  CONTENT_NOT_A_STRING: refused(
    'Content must be a string',
    '`content` is not a string.',
    'Send HTML or text as one string.',
  ),
  CONTENT_TOO_LARGE: refused(
    'Content must be smaller than 50kb',
    '`content` has 51,200 bytes or more, as UTF-8.',
    'Split the content into blocks that include each other.',
  ),
  CONTENT_MALFORMED: refused(
    'Content contains malformed liquid',
    'The Liquid of `content` cannot be parsed, or would be too much work. `faults` says what is wrong, with line and column.',
    'Correct the place that is named.',
  ),
  CONTENT_BLOCK_IN_ITSELF: refused(
    'Content Block cannot be referenced within itself',
    'The content includes the block itself, at once or by way of other blocks.',
    'Take the reference out.',
  ),
  CONTENT_BLOCK_INCLUDED_UNKNOWN: refused(
    'Content references a Content Block that does not exist',
    'The content includes a block that the workspace does not have, or an active block includes a draft. The message names it.',
    'Create that block first, or make it active.',
  ),
  CONTENT_BLOCK_CENTER_UNKNOWN: refused(
    'Content links to a Preference Center that does not exist',
    'The content links to a preference center that the workspace does not have, or that is a draft. The message names it, and those that the workspace has.',
    'Correct the name, or create that preference center first.',
  ),
  CONTENT_BLOCK_INCLUDES_TOO_MANY: refused(
    'Content references more than 50 Content Blocks',
    'The content includes more than 50 different blocks.',
    'Include blocks that include others.',
  ),
  CONTENT_BLOCK_DESCRIPTION_BLANK: refused(
    'Content Block description cannot be blank',
    '`description` is there, but holds nothing but white space.',
    'Leave it out, or say something.',
  ),
  CONTENT_BLOCK_DESCRIPTION_NOT_A_STRING: refused(
    'Content Block description must be a string',
    '`description` is not a string.',
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
    '`name` has characters other than letters A to Z, digits, `-` and `_`.',
    'Choose another name.',
  ),
  CONTENT_BLOCK_NAME_TAKEN: refused(
    'Content Block with this name already exists',
    'Another block of the workspace has this name.',
    'Choose another name, or update that block.',
  ),
  CONTENT_BLOCK_NAME_FIXED: refused(
    'Content Block name cannot be updated for active Content Blocks',
    'The block is active and has another name.',
    'Leave `name` out, or create another block.',
  ),
  CONTENT_BLOCK_ACTIVE: refused(
    'Active Content Block can not be updated to Draft. Create a new Content Block.',
    'The block is active already.',
    'Create another block as a draft.',
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
    'Something in `tags` is not a string.',
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
  CONTENT_VERSIONS_FULL: refused(
    'There is no room for another version of this Content Block',
    'Each change keeps the version before it: the last 500 of a block, 20,000 in a workspace.',
    'Delete blocks that nothing uses: their versions go with them.',
  ),
  CONTENT_BLOCK_IN_USE: refused(
    'Content Block is in use',
    'A block, a preference center, or a schedule that waits or is being sent includes the block, so that it can be neither deleted nor renamed; or people see what includes a deleted block of this name, so that no draft gets it. The message names the first.',
    'Take the references out, or delete it with `force`: what includes it then shows nothing in its place.',
  ),
  CONTENT_BLOCK_OVERTAKEN: rejected(409)(
    'Content Block was changed by a later request',
    'The request was delayed, and a request that was accepted after it has changed the block since.',
    'Read the block, and send the change again if it is still wanted.',
  ),
  CONTENT_BLOCK_ID_BLANK: refused(
    'Content Block ID cannot be blank',
    '`content_block_id` is missing or blank.',
    'Send the id of a block.',
  ),
  CONTENT_BLOCK_UNKNOWN: refused(
    'Content Block ID is invalid for this workspace',
    'The workspace has no block with this id.',
    'Use an id that the list of content blocks shows.',
  ),
  CONTENT_BLOCK_DELETED: refused(
    'Content Block has been deleted—content not available',
    'The block was deleted within the last year.',
    'Use another block.',
  ),
  CONTENT_VERSION_UNKNOWN: refused(
    'Content Block version is not available',
    '`version` is not the number of a version of this block.',
    'Use a number that `versions` shows.',
  ),
  INCLUSION_DATA_INVALID: refused(
    'Include Inclusion Data—error',
    '`include_inclusion_data` is neither `true` nor `false`.',
    'Send `true` or `false`.',
  ),
  MODIFIED_AFTER_INVALID: refused(
    'Modified after time is invalid',
    '`modified_after` is not a time.',
    'Send a time in ISO 8601.',
  ),
  MODIFIED_BEFORE_INVALID: refused(
    'Modified before time is invalid',
    '`modified_before` is not a time.',
    'Send a time in ISO 8601.',
  ),
  MODIFIED_ORDER_INVALID: refused(
    'Modified after time must be earlier than or the same as modified before time.',
    '`modified_after` is later than `modified_before`.',
    'Exchange the two.',
  ),
  CONTENT_BLOCK_LIMIT_INVALID: refused(
    'Content Block number limit is invalid',
    '`limit` is not a whole number.',
    'Send a whole number from 1 to 1,000.',
  ),
  CONTENT_BLOCK_LIMIT_TOO_LOW: refused(
    'Content Block number limit must be greater than 0',
    '`limit` is 0 or less.',
    'Send a whole number from 1 to 1,000.',
  ),
  CONTENT_BLOCK_LIMIT_TOO_HIGH: refused(
    'Content Block number limit exceeds maximum of 1000',
    '`limit` is more than 1,000.',
    'Send a whole number from 1 to 1,000, and read page by page.',
  ),
  OFFSET_INVALID: refused(
    'Offset is invalid',
    '`offset` is not a whole number.',
    'Send a whole number above 0.',
  ),
  OFFSET_TOO_LOW: refused(
    'Offset must be greater than 0.',
    '`offset` is 0 or less.',
    'Leave `offset` out for the first page.',
  ),
} as const satisfies Record<string, RejectionEntry>;
