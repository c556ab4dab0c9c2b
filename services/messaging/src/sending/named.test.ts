import { openLiquid } from '@roster/liquid';
import { createNamesIn } from './named.ts';

it('what texts name is kept within its bound, whatever the size of the texts', async () => {
  const { namesIn, size } = createNamesIn(200);
  const liquid = openLiquid();
  for (let n = 0; n < 20; n++) {
    const text = `{{content_blocks.\${block${n}}}}${' '.repeat(10_000)}`;
    const named = { includes: [`block${n}`], centers: [] };
    expect([await namesIn(text, liquid), await namesIn(text, liquid)]).toEqual([named, named]);
    expect(size()).toBeLessThanOrEqual(200);
  }
});
