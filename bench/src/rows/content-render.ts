// Rendering a content block with three inclusions, in the thread that templates of strangers run in: CPU of all threads of this process.
import { openLiquid } from '@roster/liquid';
import type { RenderTask } from '../baselines/bare-render.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { type Cost, costOf } from '../cost.ts';
import { cpuAgainst } from '../cost-figures.ts';
import { inTurns } from '../in-turns.ts';
import { blocks, pageWith, variables } from '../template.ts';

const template = {
  text: pageWith((name) => `{{content_blocks.\${${name}}}}`),
  variables,
  blocks,
  escape: 'html' as const,
};

export const contentRender: Bench = {
  name: 'content-render',
  async measure({ runs, quick, atEnd }) {
    const liquid = openLiquid({ threads: 1 });
    atEnd(liquid.close);
    const bare = startChild<RenderTask, Cost>('./baselines/bare-render.js');
    atEnd(bare.stop);
    const renders = quick ? 1_000 : 20_000;
    const pairs = await inTurns(runs, {
      ours: () =>
        costOf({ bench: process.pid }, async () => {
          for (let n = 0; n < renders; n++) await liquid.render(template);
          return renders;
        }),
      bare: () => bare.ask({ renders }),
    });
    const work = 'CPU a render, three inclusions';
    return [cpuAgainst({ work, yardstick: 'liquidjs alone', bar: { atMost: 2 }, pairs })];
  },
};
