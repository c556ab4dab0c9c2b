/** The preference center of a link: the default one, or one that the workspace made and that is active. */
import { defaultCenterId } from '@roster/contract';
import { LiquidFault } from '@roster/liquid';
import type { PreferenceCenterDocument, Store } from '@roster/store';
import type { Center, FindCenter, Shown } from '../pages/center.ts';
import { defaultConfirmation, defaultPage } from '../pages/default/default-center.ts';
import { withHead } from '../pages/head.ts';
import { type Rendering, renderPage } from './templates.ts';

const defaultCenter: Center = {
  page: async ({ preferences, language, submitUrl }) => defaultPage(preferences, language, submitUrl),
  confirmation: async ({ preferences, language, pageUrl, isLater }) =>
    defaultConfirmation(preferences, language, { pageUrl, isLater }),
};

interface FindCenterOptions extends Rendering {
  store: Pick<Store, 'includedBlocks' | 'preferenceCenters'>;
  /** A page could not be rendered. */
  onFault(center: string, fault: LiquidFault): void;
}

/** A template may fail for what a person's states are. Nobody's "unsubscribe" fails with it: they get the default page. */
const customCenter = (finding: FindCenterOptions, stored: PreferenceCenterDocument): Center => {
  const { title, options } = stored;
  const { viewport, links, scripts = false } = options;
  const rendered = async (page: 'page' | 'confirmation', shown: Shown): Promise<string> => {
    const head = { title, language: shown.language.code, ...(viewport !== undefined && { viewport }), links };
    try {
      return withHead(await renderPage(finding, stored, page, shown), head);
    } catch (error) {
      if (!(error instanceof LiquidFault)) throw error;
      finding.onFault(stored._id, error);
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
