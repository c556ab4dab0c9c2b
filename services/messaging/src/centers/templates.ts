/** The templates of a preference center: parsed when it is stored, rendered for a person when a page is opened. */
import type { Templates } from '@roster/liquid';
import type { PreferenceCenterDocument } from '@roster/store';
import { namesOfTexts } from '../content/includes.ts';
import { unknownNames } from '../content/unknown-names.ts';
import type { Tools as AnyTools } from '../handler.ts';
import { createMessageLinks } from '../links/page-urls.ts';
import type { CenterPage, Shown } from '../pages/center.ts';
import { centerGroupUnknown, centerInvalid } from '../refusals.ts';
import type { ContentsOf } from '../sending/named.ts';
import { groupIdsOf } from '../sending/settings.ts';

type Pages = Pick<PreferenceCenterDocument, CenterPage>;

const members = [
  ['page', 'preference_center_page_html'],
  ['confirmation', 'confirmation_page_html'],
] as const;

const emailState = 'email_global';

type TemplateTools = Pick<AnyTools, 'store' | 'liquidOf'>;

const assertGroups = async ({ store }: TemplateTools, ws: string, states: readonly string[]) => {
  if (states.length === 0) return;
  const groups = await groupIdsOf(store, ws);
  const unknown = states.find((state) => state !== emailState && !groups.includes(state));
  if (unknown !== undefined) throw centerGroupUnknown(unknown, groups);
};

/** What a page may name. */
const variableNames = [
  ...['subscribed_state', 'preference_center_submit_url', 'preference_center', 'content_blocks'],
  ...['set_user_to_unsubscribed_url', 'unsubscribe_url'],
];

/** What the two pages name. Refuses what is no Liquid, and groups that are not there. */
export const namedIn = async (tools: TemplateTools, ws: string, pages: Pages) => {
  const texts = members.map(([page, place]) => ({ place, text: pages[page] }));
  const { all, includes } = await namesOfTexts(tools.liquidOf(ws), texts, centerInvalid);
  const states = all.flatMap((one) => one.states);
  await assertGroups(tools, ws, states);
  return { includes, told: unknownNames(all, variableNames) };
};

/** In a group is who said so; of emails everybody gets them who did not refuse them. */
const statesIn = ({ preferences }: Shown): Record<string, string> => ({
  ...Object.fromEntries(preferences.groups.map(({ id, state }) => [id, state ?? 'unsubscribed'])),
  [emailState]: preferences.emails ?? 'subscribed',
});

/** Whatever comes from the person is escaped. Links hold as long as the one that opened the page: who has one cannot renew it by looking. */
export const renderPage = async (
  { contentsOf, liquid }: { contentsOf: ContentsOf; liquid: Templates },
  center: PreferenceCenterDocument,
  page: CenterPage,
  shown: Shown,
): Promise<string> => {
  const { ws } = center;
  const { blocks, centers } = await contentsOf(ws, [center[page]], liquid);
  const { person } = shown.preferences;
  const links = createMessageLinks({ page: (to) => shown.linkTo(to.center) }, ws, centers);
  return liquid.render({
    text: center[page],
    variables: {
      subscribed_state: statesIn(shown),
      preference_center_submit_url: shown.submitUrl,
      preference_center: links.centers(person),
      set_user_to_unsubscribed_url: links.unsubscribe(person),
      unsubscribe_url: links.unsubscribe(person),
    },
    blocks,
    escape: 'html',
  });
};
