/** The templates of a preference center: parsed when it is stored, rendered for a person when a page is opened. */
import type { Templates } from '@roster/liquid';
import type { PreferenceCenterDocument, Session, Store } from '@roster/store';
import { missingBlock } from '../content/usable.ts';
import type { Shown } from '../pages/center.ts';
import { centerBlockUnknown, liquidInvalid } from '../refusals.ts';

type Pages = Pick<PreferenceCenterDocument, 'page' | 'confirmation'>;

const members = [
  ['page', 'preference_center_page_html'],
  ['confirmation', 'confirmation_page_html'],
] as const;

/** Names of the content blocks that the two pages include. Refuses what is no Liquid. */
export const includesOf = async (liquid: Templates, pages: Pages): Promise<string[]> => {
  const includes = new Set<string>();
  for (const [page, member] of members) {
    const { faults, includes: names } = await liquid.check(pages[page]);
    const [fault] = faults;
    if (fault) throw liquidInvalid(member, fault);
    for (const name of names) includes.add(name);
  }
  return [...includes];
};

/** Inside of the place of the workspace's content: no block goes away meanwhile. */
export const assertUsable = async (
  store: Pick<Store, 'content'>,
  session: Session,
  center: Pick<PreferenceCenterDocument, 'ws' | 'includes'>,
): Promise<void> => {
  const missing = await missingBlock(store, session, center);
  if (missing !== undefined) throw centerBlockUnknown(missing);
};

/** In a group is who said so; of emails everybody gets them who did not refuse them. */
const statesIn = ({ preferences }: Shown): Record<string, string> => ({
  ...Object.fromEntries(preferences.groups.map(({ id, state }) => [id, state ?? 'unsubscribed'])),
  email_global: preferences.emails ?? 'subscribed',
});

interface Rendering {
  store: Pick<Store, 'includedBlocks'>;
  liquid: Templates;
}

/** Whatever comes from the person is escaped. */
export const renderPage = async (
  { store, liquid }: Rendering,
  center: PreferenceCenterDocument,
  page: keyof Pages,
  shown: Shown,
): Promise<string> =>
  liquid.render({
    text: center[page],
    variables: {
      subscribed_state: statesIn(shown),
      preference_center_submit_url: shown.submitUrl,
    },
    blocks: await store.includedBlocks(center.ws, center.includes),
    escape: 'html',
  });
