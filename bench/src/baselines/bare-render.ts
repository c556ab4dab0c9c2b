// The yardstick of rendering: the same page by liquidjs alone, in the thread that asks, parsed once.
import { Liquid } from 'liquidjs';
import { answerParent } from '../child.ts';
import { type Cost, costOf } from '../cost.ts';
import { blocks, pageWith, variables } from '../template.ts';

export interface RenderTask {
  renders: number;
}

const liquid = new Liquid({ outputEscape: 'escape', templates: blocks, cache: true });
const own = 'shop: shop, city: city, items: items';
const page = liquid.parse(pageWith((name) => `{% render '${name}', ${own} %}`));

answerParent<RenderTask, Cost>(({ renders }) =>
  costOf({ bare: process.pid }, async () => {
    for (let n = 0; n < renders; n++) await liquid.render(page, variables);
    return renders;
  }),
);
