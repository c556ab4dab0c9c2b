/** What the operations on preference centers have in common. */
import { isCleanText } from '../../formats/text.ts';
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection, type RejectionCode } from '../../rejections/rejections.ts';
import { flag, listOf, maybe, objectShape, oneOf, optional, text } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';
import { notBlank, refuseUnclean, template, uniqueName } from '../messaging-row.ts';

export const centersTag = 'Preference centers';

/** The id of the preference center that every workspace has. */
export const defaultCenterId = 'default';

const longestTitle = 255;
const longestText = 255;
const longestAddress = 2000;
const mostLinks = 10;

type Value = Json | undefined;

const rels = ['icon', 'shortcut icon', 'apple-touch-icon'] as const;
const types = ['image/png', 'image/svg', 'image/gif', 'image/x-icon', 'image/svg+xml', 'mask-icon'] as const;

const isShortText = (value: Value): boolean =>
  typeof value === 'string' && value.length <= longestText && isCleanText(value);

/** By https only: nothing else is loaded by the page. */
const isAddress = (value: Value): boolean =>
  typeof value === 'string' &&
  value.length <= longestAddress &&
  value.startsWith('https://') &&
  URL.canParse(value);

const isOneOf =
  (known: readonly string[]) =>
  (value: Value): boolean =>
    typeof value === 'string' && known.includes(value);

const ofLink: readonly [member: string, isGood: (value: Value) => boolean, wanted: string][] = [
  ['rel', isOneOf(rels), `one of ${rels.join(', ')}`],
  ['type', (value) => value === undefined || isOneOf(types)(value), `one of ${types.join(', ')}`],
  ['sizes', (value) => value === undefined || isShortText(value), 'a string of at most 255 characters'],
  ['color', (value) => value === undefined || isShortText(value), 'a string of at most 255 characters'],
  ['href', isAddress, 'an https address of at most 2,000 characters'],
];

const wrongInLink = (link: Json, place: string): string | undefined => {
  if (!isJsonObject(link)) return `${place} must be an object`;
  const [member, , wanted] = ofLink.find(([name, isGood]) => !isGood(link[name])) ?? [];
  return member && `${place}.${member} must be ${wanted}`;
};

const wrongInLinks = (links: Value): string | undefined => {
  if (links === undefined) return undefined;
  if (!Array.isArray(links)) return 'options.links-tags must be an array';
  if (links.length > mostLinks) return `options.links-tags must not hold more than ${mostLinks} elements`;
  for (const [index, link] of links.entries()) {
    const wrong = wrongInLink(link, `options.links-tags[${index}]`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

const wrongInOptions = (options: JsonObject): string | undefined => {
  const viewport = options['meta-viewport-content'];
  const scripts = options['allow-scripts'];
  if (viewport !== undefined && !isShortText(viewport))
    return 'options.meta-viewport-content must be a string of at most 255 characters';
  if (scripts !== undefined && typeof scripts !== 'boolean') return 'options.allow-scripts must be a boolean';
  return wrongInLinks(options['links-tags']);
};

const refuseOptions: BodyRule = ({ options }) => {
  if (options === undefined) return undefined;
  const message = isJsonObject(options) ? wrongInOptions(options) : 'options must be an object';
  return message === undefined ? undefined : new Rejection('PREFERENCE_CENTER_OPTIONS_INVALID', { message });
};

/** What the schema cannot say, or says in other words. */
export const commonRules: readonly BodyRule[] = [
  refuseOptions,
  refuseUnclean('preference_center_title', 'preference_center_page_html', 'confirmation_page_html'),
];

/** What both refuse, and what the worker finds in the templates. */
export const commonRejections = [
  'PREFERENCE_CENTER_PAGE_BLANK',
  'PREFERENCE_CENTER_PAGE_NOT_A_STRING',
  'PREFERENCE_CENTER_PAGE_TOO_LARGE',
  'PREFERENCE_CENTER_CONFIRMATION_BLANK',
  'PREFERENCE_CENTER_CONFIRMATION_NOT_A_STRING',
  'PREFERENCE_CENTER_CONFIRMATION_TOO_LARGE',
  'PREFERENCE_CENTER_TITLE_INVALID',
  'PREFERENCE_CENTER_STATE_INVALID',
  'PREFERENCE_CENTER_OPTIONS_INVALID',
  'PREFERENCE_CENTER_LIQUID_INVALID',
  'PREFERENCE_CENTER_BLOCK_UNKNOWN',
  'PREFERENCE_CENTER_GROUP_UNKNOWN',
] as const satisfies readonly RejectionCode[];

const short = { maxLength: longestText };

const linkTag = objectShape('PreferenceCenterLink', 'A `link` tag in the head of the pages.', {
  rel: oneOf(rels, 'What it is.'),
  type: maybe(oneOf(types, 'Its type.')),
  sizes: maybe(text('Its sizes, such as `32x32`.', short)),
  color: maybe(text('Its color, for the type `mask-icon`.', short)),
  href: text('Where it is; by https.', { pattern: '^https://', maxLength: longestAddress }),
});

export const options = objectShape(
  'PreferenceCenterOptions',
  'What stands in the head of both pages, and whether they may run scripts.',
  optional({
    'meta-viewport-content': text(
      '`content` of the meta tag `viewport`. Default: `width=device-width, initial-scale=1`.',
      short,
    ),
    'links-tags': listOf(linkTag, 'Icons of the pages, at most 10.', { maxItems: mostLinks }),
    'allow-scripts': flag(
      'Whether scripts inside the pages run. Default: `false`. Scripts from other servers never run.',
    ),
  }),
);

const variable = (name: string): string => `\`{{subscribed_state.\${${name}}}}\``;

const tags = [
  'HTML with Liquid, less than 100 KB (102,400 bytes) as UTF-8. Tags of its own:',
  `${variable('email_global')}, ${variable('<group id>')}, \`{% form_field_name :email_global_state %}\`,`,
  '`{% form_field_name :subscription_group <group id> %}`, `{{preference_center_submit_url}}` and content blocks.',
].join(' ');

const never = ' Never changes.';

export const centerMembers = {
  newName: uniqueName(never, {
    blank: 'PREFERENCE_CENTER_NAME_BLANK',
    type: 'PREFERENCE_CENTER_NAME_INVALID',
    maxLength: 'PREFERENCE_CENTER_NAME_TOO_LONG',
    pattern: 'PREFERENCE_CENTER_NAME_INVALID',
  }),
  /** Of an update, which cannot change it. */
  name: uniqueName(never),
  title: text('Title of the pages. Default: `Preference Center`.', {
    ...notBlank,
    maxLength: longestTitle,
    'x-errors': {
      blank: 'PREFERENCE_CENTER_TITLE_INVALID',
      type: 'PREFERENCE_CENTER_TITLE_INVALID',
      maxLength: 'PREFERENCE_CENTER_TITLE_INVALID',
    },
  }),
  page: template(`The page with the form. ${tags}`, 100 * 1024, 'PREFERENCE_CENTER_PAGE'),
  confirmation: template(
    `The page after the form was sent. ${tags}`,
    100 * 1024,
    'PREFERENCE_CENTER_CONFIRMATION',
  ),
  state: oneOf(['active', 'draft'], 'Default: `active`. A draft has no pages.', {
    'x-errors': { type: 'PREFERENCE_CENTER_STATE_INVALID', enum: 'PREFERENCE_CENTER_STATE_INVALID' },
  }),
};

export const centerId = text('Id of the preference center.', { minLength: 1, maxLength: 100 });

export const createdAt = text('When it was created, ISO 8601.');

/** What every answer about a preference center that is there begins with. */
export const shownCenter = {
  preference_center_api_id: centerId,
  created_at: createdAt,
  updated_at: text('When it was last changed, ISO 8601.'),
};

export const exampleId = '1b6a2c5e-90d1-8f3a-8c44-5f7f0d7f2b11';
