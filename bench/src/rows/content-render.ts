// Rendering a content block with three inclusions, in the thread that templates of strangers run in: CPU of all threads of this process.
import { openLiquid } from '@roster/liquid';
import type { Bench } from '../bench.ts';

const named = (name: string): string => `{{content_blocks.\${${name}}}}`;

const blocks = {
  header: '<h1>{{shop}}</h1>',
  offer: '{% for item in items %}<li>{{item.name}}: {{item.price}}</li>{% endfor %}',
  footer: '<p>{{shop}}, {{city | upcase}}</p>',
};

const template = {
  text: `${named('header')}<p>Hello {{name | default: 'you'}}</p>${named('offer')}${named('footer')}`,
  variables: {
    shop: 'Example',
    city: 'Example City',
    name: 'Ada',
    items: ['tea', 'cup', 'pot'].map((name, n) => ({ name, price: n + 1 })),
  },
  blocks,
  escape: 'html' as const,
};

export const contentRender: Bench = {
  name: 'content-render',
  async measure({ runs, quick }) {
    const liquid = openLiquid({ threads: 1 });
    const renders = quick ? 1_000 : 20_000;
    const renderAll = async (): Promise<number> => {
      const began = process.cpuUsage();
      for (let n = 0; n < renders; n++) await liquid.render(template);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / renders;
    };
    await renderAll();
    const measured: number[] = [];
    for (let run = 0; run < runs; run++) measured.push(await renderAll());
    await liquid.close();
    return [{ work: 'CPU a render, three inclusions', unit: 'us', bar: { atMost: 150 }, runs: measured }];
  },
};
