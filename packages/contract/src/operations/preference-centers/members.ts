/** What the operations on preference centers have in common. */
import { Type } from '@sinclair/typebox';
import { isCleanText, isLongerThan, isLongerThanBytes } from '../../formats/text.ts';
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection, type RejectionCode } from '../../rejections/rejections.ts';
import { plain, shape, text } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';
import {
  isBlank,
  isNoText,
  isTextWhere,
  longestName,
  refuseMember,
  success,
  usualName,
  type Value,
} from '../messaging-row.ts';

export const centersTag = 'Preference centers';

/** The id of the preference center that every workspace has. */
export const defaultCenterId = 'default';

const longestTitle = 255;
const mostBytes = 100 * 1024 - 1;
const longestText = 255;
const longestAddress = 2000;
const mostLinks = 10;

/** `null` says that a member is absent, in every operation. */
const isGiven = (value: Value): boolean => value !== undefined && value !== null;

const tooLarge = isTextWhere((html) => isLongerThanBytes(html, mostBytes));

export const refuseName = refuseMember(
  'name',
  ['PREFERENCE_CENTER_NAME_BLANK', isBlank],
  ['PREFERENCE_CENTER_NAME_TOO_LONG', isTextWhere((name) => isLongerThan(name, longestName))],
  ['PREFERENCE_CENTER_NAME_INVALID', (name) => isNoText(name) || !usualName.test(String(name))],
);

const refusePage = refuseMember(
  'preference_center_page_html',
  ['PREFERENCE_CENTER_PAGE_BLANK', isBlank],
  ['PREFERENCE_CENTER_PAGE_NOT_A_STRING', isNoText],
  ['PREFERENCE_CENTER_PAGE_TOO_LARGE', tooLarge],
);

const refuseConfirmation = refuseMember(
  'confirmation_page_html',
  ['PREFERENCE_CENTER_CONFIRMATION_BLANK', isBlank],
  ['PREFERENCE_CENTER_CONFIRMATION_NOT_A_STRING', isNoText],
  ['PREFERENCE_CENTER_CONFIRMATION_TOO_LARGE', tooLarge],
);

const refuseTitle = refuseMember('preference_center_title', [
  'PREFERENCE_CENTER_TITLE_INVALID',
  (title) =>
    isGiven(title) && (isNoText(title) || isBlank(title) || isLongerThan(String(title), longestTitle)),
]);

const refuseState = refuseMember('state', [
  'PREFERENCE_CENTER_STATE_INVALID',
  (state) => isGiven(state) && state !== 'active' && state !== 'draft',
]);

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
  ['type', (value) => !isGiven(value) || isOneOf(types)(value), `one of ${types.join(', ')}`],
  ['sizes', (value) => !isGiven(value) || isShortText(value), 'a string of at most 255 characters'],
  ['color', (value) => !isGiven(value) || isShortText(value), 'a string of at most 255 characters'],
  ['href', isAddress, 'an https address of at most 2,000 characters'],
];

const wrongInLink = (link: Json, place: string): string | undefined => {
  if (!isJsonObject(link)) return `${place} must be an object`;
  const [member, , wanted] = ofLink.find(([name, isGood]) => !isGood(link[name])) ?? [];
  return member && `${place}.${member} must be ${wanted}`;
};

const wrongInLinks = (links: Value): string | undefined => {
  if (!isGiven(links)) return undefined;
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
  if (isGiven(viewport) && !isShortText(viewport))
    return 'options.meta-viewport-content must be a string of at most 255 characters';
  if (isGiven(scripts) && typeof scripts !== 'boolean') return 'options.allow-scripts must be a boolean';
  return wrongInLinks(options['links-tags']);
};

const refuseOptions: BodyRule = ({ options }) => {
  if (!isGiven(options)) return undefined;
  const message = isJsonObject(options) ? wrongInOptions(options) : 'options must be an object';
  return message === undefined ? undefined : new Rejection('PREFERENCE_CENTER_OPTIONS_INVALID', { message });
};

const refuseUnclean: BodyRule = (body) => {
  for (const member of [
    'preference_center_title',
    'preference_center_page_html',
    'confirmation_page_html',
  ] as const) {
    const value = body[member];
    if (typeof value === 'string' && !isCleanText(value))
      return new Rejection('BODY_INVALID', { message: `${member} must be well-formed text without NUL` });
  }
  return undefined;
};

/** After the rule about the name, which differs between create and update. */
export const commonRules: readonly BodyRule[] = [
  refusePage,
  refuseConfirmation,
  refuseTitle,
  refuseState,
  refuseOptions,
  refuseUnclean,
];

/** What `commonRules` refuse, and what the worker finds in the templates. */
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

/** The rules have seen the body: white space alone is refused. */
const notBlank = { pattern: '\\S' };

const short = { maxLength: longestText };

const linkTag = shape(
  'PreferenceCenterLink',
  Type.Object(
    {
      rel: plain<(typeof rels)[number]>({ type: 'string', enum: [...rels], description: 'What it is.' }),
      type: Type.Optional(
        plain<(typeof types)[number]>({ type: 'string', enum: [...types], description: 'Its type.' }),
      ),
      sizes: Type.Optional(text('Its sizes, such as `32x32`.', short)),
      color: Type.Optional(text('Its color, for the type `mask-icon`.', short)),
      href: text('Where it is; by https.', { pattern: '^https://', maxLength: longestAddress }),
    },
    { description: 'A `link` tag in the head of the pages.' },
  ),
);

export const options = shape(
  'PreferenceCenterOptions',
  Type.Object(
    {
      'meta-viewport-content': Type.Optional(
        text('`content` of the meta tag `viewport`. Default: `width=device-width, initial-scale=1`.', short),
      ),
      'links-tags': Type.Optional(
        Type.Array(linkTag, { maxItems: mostLinks, description: 'Icons of the pages, at most 10.' }),
      ),
      'allow-scripts': Type.Optional(
        Type.Boolean({
          description:
            'Whether scripts inside the pages run. Default: `false`. Scripts from other servers never run.',
        }),
      ),
    },
    { description: 'What stands in the head of both pages, and whether they may run scripts.' },
  ),
);

const variable = (name: string): string => `\`{{subscribed_state.\${${name}}}}\``;

const tags = [
  'HTML with Liquid, less than 100 KB (102,400 bytes) as UTF-8. Tags of its own:',
  `${variable('email_global')}, ${variable('<group id>')}, \`{% form_field_name :email_global_state %}\`,`,
  '`{% form_field_name :subscription_group <group id> %}`, `{{preference_center_submit_url}}` and content blocks.',
].join(' ');

export const centerMembers = {
  name: text(
    'Fewer than 100 letters (A to Z), digits, `-` and `_`; unique in the workspace. Never changes.',
    {
      pattern: usualName.source,
      maxLength: longestName,
    },
  ),
  title: text('Title of the pages. Default: `Preference Center`.', {
    ...notBlank,
    maxLength: longestTitle,
  }),
  page: text(`The page with the form. ${tags}`, { ...notBlank, maxLength: mostBytes }),
  confirmation: text(`The page after the form was sent. ${tags}`, { ...notBlank, maxLength: mostBytes }),
  state: plain<'active' | 'draft'>({
    type: 'string',
    enum: ['active', 'draft'],
    description: 'Default: `active`. A draft has no pages.',
  }),
};

export const centerId = text('Id of the preference center.', { minLength: 1, maxLength: 100 });

export const createdAt = text('When it was created, ISO 8601.');
export const updatedAt = text('When it was last changed, ISO 8601.');

export { success };
