/** The preference center of a link: the default one, or one that the workspace made and that is active. */
import { defaultCenterId, present } from '@roster/contract';
import { LiquidFault, type Templates } from '@roster/liquid';
import type { PreferenceCenterDocument, Store } from '@roster/store';
import type { MinuteLimit, Places } from '../pages/bounds.ts';
import type { Center, FindCenter } from '../pages/center.ts';
import { defaultCenter } from '../pages/default/default-center.ts';
import { withHead as usualWithHead } from '../pages/head.ts';
import { type ContentsOf, createContentsOf } from '../sending/named.ts';
import { renderPage } from './templates.ts';

export interface FindCenterOptions {
  store: Pick<Store, 'includedBlocks' | 'preferenceCenters'>;
  /** Opened pages are charged to nobody: anyone who has a link could use up the points of the workspace. They have the two bounds below instead. */
  liquid: Templates;
  /** How often a preference center is rendered in a minute. */
  byCenter: MinuteLimit;
  /** How many pages of one workspace are rendered at once. */
  rendering: Places;
  /** A page could not be rendered. */
  onFault(center: string, fault: LiquidFault): void;
  /** A bound was reached: the default page was shown instead. */
  onBusy(): void;
  withHead?: typeof usualWithHead;
}

type CenterTools = Omit<FindCenterOptions, 'store'> & { contentsOf: ContentsOf };

/** A template may fail for what a person's states are, or be opened too often. Nobody's "unsubscribe" fails with it: they get the default page. */
const customCenter = (
  { contentsOf, liquid, byCenter, rendering, onFault, onBusy, withHead = usualWithHead }: CenterTools,
  stored: PreferenceCenterDocument,
): Center => {
  const { title, options } = stored;
  const { viewport, links, scripts = false } = options;
  return {
    scripts,
    async render(page, shown) {
      const leave = byCenter(stored._id) ? rendering.take(stored.ws) : undefined;
      if (!leave) {
        onBusy();
        return defaultCenter.render(page, shown);
      }
      const head = { title, language: shown.language.code, ...present({ viewport }), links };
      try {
        return withHead(await renderPage({ contentsOf, liquid }, stored, page, shown), head);
      } catch (error) {
        if (!(error instanceof LiquidFault)) throw error;
        onFault(stored._id, error);
        return defaultCenter.render(page, shown);
      } finally {
        leave();
      }
    },
  };
};

export const createFindCenter = ({ store, ...options }: FindCenterOptions): FindCenter => {
  const tools = { ...options, contentsOf: createContentsOf(store) };
  return async (ws, id) => {
    if (id === defaultCenterId) return defaultCenter;
    const stored = await store.preferenceCenters.findOne({ _id: id, ws, state: 'active' });
    return stored ? customCenter(tools, stored) : undefined;
  };
};
