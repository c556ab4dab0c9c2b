/** Why requests about preference centers are refused. The sentences are ours. A part of the catalogue in rejections.ts. */
import { type RejectionEntry, refused, rejected } from './rejection-entry.ts';

const html = (what: string, member: string) => ({
  blank: refused(
    `Preference Center ${what} cannot be blank`,
    `\`${member}\` is missing or holds nothing but white space.`,
    'Send the HTML of the page.',
  ),
  notAString: refused(
    `Preference Center ${what} must be a string`,
    `\`${member}\` is not a string.`,
    'Send HTML as one string.',
  ),
  tooLarge: refused(
    `Preference Center ${what} must be smaller than 100kb`,
    `\`${member}\` has 102,400 bytes or more, as UTF-8.`,
    'Move parts into content blocks, and pictures and styles to a place of their own.',
  ),
});

const page = html('page HTML', 'preference_center_page_html');
const confirmation = html('confirmation page HTML', 'confirmation_page_html');

export const centerRejections = {
  PREFERENCE_CENTER_NAME_BLANK: refused(
    'Preference Center name cannot be blank',
    '`name` is missing or holds nothing but white space.',
    'Name the preference center.',
  ),
  PREFERENCE_CENTER_NAME_TOO_LONG: refused(
    'Preference Center name must be shorter than 100 characters',
    '`name` has 100 characters or more.',
    'Choose a shorter name.',
  ),
  PREFERENCE_CENTER_NAME_INVALID: refused(
    'Preference Center name can only contain letters, numbers, hyphens and underscores',
    '`name` has characters other than letters A to Z, digits, `-` and `_`.',
    'Choose another name.',
  ),
  PREFERENCE_CENTER_NAME_TAKEN: refused(
    'Preference Center with this name already exists',
    'Another preference center of the workspace has this name.',
    'Choose another name, or update that preference center.',
  ),
  PREFERENCE_CENTER_NAME_FIXED: refused(
    'Preference Center name cannot be updated',
    'An update has another `name` than the preference center. The name never changes: content refers to it.',
    'Leave `name` out, or create another preference center.',
  ),
  PREFERENCE_CENTER_TITLE_INVALID: refused(
    'Preference Center title must be a string of 1 to 255 characters',
    '`preference_center_title` is not a string, is blank, or too long.',
    'Leave it out, or send a short title.',
  ),
  PREFERENCE_CENTER_PAGE_BLANK: page.blank,
  PREFERENCE_CENTER_PAGE_NOT_A_STRING: page.notAString,
  PREFERENCE_CENTER_PAGE_TOO_LARGE: page.tooLarge,
  PREFERENCE_CENTER_CONFIRMATION_BLANK: confirmation.blank,
  PREFERENCE_CENTER_CONFIRMATION_NOT_A_STRING: confirmation.notAString,
  PREFERENCE_CENTER_CONFIRMATION_TOO_LARGE: confirmation.tooLarge,
  PREFERENCE_CENTER_STATE_INVALID: refused(
    'Preference Center state must be either active or draft',
    '`state` is something else.',
    'Send `active` or `draft`.',
  ),
  PREFERENCE_CENTER_OPTIONS_INVALID: refused(
    'Preference Center options are invalid',
    '`options` is not an object, or a member of it is not as documented. The message names the place.',
    'Compare `options` with the schema of the operation.',
  ),
  PREFERENCE_CENTER_LIQUID_INVALID: refused(
    'Preference Center HTML contains malformed liquid',
    'A page does not follow the syntax of Liquid, or uses a tag that pages do not have. The message names the member and the place.',
    'Correct the template at that place.',
  ),
  PREFERENCE_CENTER_BLOCK_UNKNOWN: refused(
    'Preference Center HTML uses a Content Block that does not exist',
    'A page uses a content block that the workspace does not have, or that is a draft. The message names it.',
    'Create the content block first.',
  ),
  PREFERENCE_CENTER_GROUP_UNKNOWN: refused(
    'Preference Center HTML names a subscription group that does not exist',
    'A page shows the state of a subscription group, or has a field for it, and the workspace does not have this group. The message names it, and those that the workspace has.',
    'Correct the id, or add the group to the settings of the workspace first.',
  ),
  PREFERENCE_CENTERS_FULL: refused(
    'The workspace has as many Preference Centers as it may have',
    'A workspace keeps 100 preference centers.',
    'Update one that is no longer used.',
  ),
  PREFERENCE_CENTER_DRAFT: refused(
    'Preference Center is a draft',
    'The address of a preference center is given out when it is active.',
    'Make the preference center active.',
  ),
  PREFERENCE_CENTER_UNKNOWN: rejected(404)(
    'Preference Center not found',
    'The workspace has no preference center with this id.',
    'Find the id with `GET /preference_center/v1/list`.',
  ),
} as const satisfies Record<string, RejectionEntry>;
