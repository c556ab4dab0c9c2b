/** The preference center of a link: the default one, or one that the workspace made and that is active. */
import { defaultCenterId } from '@roster/contract';
import { LiquidFault, type Templates } from '@roster/liquid';
import type { PreferenceCenterDocument, Store } from '@roster/store';
import type { Center, FindCenter, Shown } from '../pages/center.ts';
import { defaultConfirmation, defaultPage } from '../pages/default/default-center.ts';
import { withHead } from '../pages/head.ts';
import { renderPage } from './templates.ts';

const defaultCenter: Center = {
  page: async ({ preferences, language, submitUrl }) => defaultPage(preferences, language, submitUrl),
  confirmation: async ({ preferences, language, pageUrl, isLater }) =>
    defaultConfirmation(preferences, language, { pageUrl, isLater }),
};

interface FindCenterOptions {
  store: Pick<Store, 'includedBlocks' | 'preferenceCenters'>;
  /** What the templates of a workspace cost is charged to it. */
  liquidOf(ws: string): Templates;
  /** A page could not be rendered. */
  onFault(center: string, fault: LiquidFault): void;
}

/** A template may fail for what a person's states are. Nobody's "unsubscribe" fails with it: they get the default page. */
const customCenter = (
  { store, liquidOf, onFault }: FindCenterOptions,
  stored: PreferenceCenterDocument,
): Center => {
  const rendering = { store, liquid: liquidOf(stored.ws) };
  const { title, options } = stored;
  const { viewport, links, scripts = false } = options;
  const rendered = async (page: 'page' | 'confirmation', shown: Shown): Promise<string> => {
    const head = { title, language: shown.language.code, ...(viewport !== undefined && { viewport }), links };
    try {
      return withHead(await renderPage(rendering, stored, page, shown), head);
    } catch (error) {
      if (!(error instanceof LiquidFault)) throw error;
      onFault(stored._id, error);
      return defaultCenter[page](shown);
    }
  };
  return {
    scripts,
    page: (shown) => rendered('page', shown),
    confirmation: (shown) => rendered('confirmation', shown),
  };
};

export const createFindCenter =
  (options: FindCenterOptions): FindCenter =>
  async (ws, id) => {
    if (id === defaultCenterId) return defaultCenter;
    const stored = await options.store.preferenceCenters.findOne({ _id: id, ws, state: 'active' });
    return stored ? customCenter(options, stored) : undefined;
  };
