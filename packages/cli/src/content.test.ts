import type { ContentBlockDocument } from '@roster/store';
import { aContentBlock, useServers } from '@roster/testkit';
import { run } from './test-io.ts';

const named = (name: string): string => `{{content_blocks.\${${name}}}}`;

describe('roster content', () => {
  const roster = (line: string, files: Record<string, string> = {}) =>
    run(`content ${line}`, { env: { MONGO_URL: servers.mongoUrl }, files });

  const newYear = Date.UTC(2026, 0, 1) * 1000;
  const block = (name: string, content: string, more: Partial<ContentBlockDocument> = {}) =>
    aContentBlock({
      ws: 'shop',
      name,
      content,
      changed: ['content'],
      created: newYear,
      edited: newYear,
      ...more,
    });

  const servers = useServers(async ({ store }) => {
    await store.workspaces.put({ id: 'shop', name: 'Shop' });
    await store.keys.put({ id: 'key1', name: 'marketing' });
    const footer = block('footer', 'Bye {{name}}', { version: 2, by: 'key1' });
    await store.content.blocks.insertMany([
      footer,
      block('letter', `Hi {{name}}. ${named('footer')}`, { includes: ['footer'] }),
      block('broken', '{{ 1 | divided_by: 0 | plus: x }}{% for i in (1..9999999) %}{% endfor %}'),
    ]);
    const { created: _, ...before } = { ...footer, _id: 'id-footer:1', version: 1, content: 'Ciao' };
    await store.content.versions.insertOne({ ...before, block: 'id-footer' });
  });

  it('lists the blocks', async () => {
    const { code, out } = await roster('list');
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['NAME', 'STATE', 'VERSION', 'EDITED', 'BY KEY', 'INCLUDES'],
      ['broken', 'active', '1', '2026-01-01T00:00:00.000Z', '-'],
      ['footer', 'active', '2', '2026-01-01T00:00:00.000Z', 'marketing'],
      ['letter', 'active', '1', '2026-01-01T00:00:00.000Z', '-', 'footer'],
      [''],
    ]);
  });

  it('shows a block, also as it was', async () => {
    expect(await roster('show footer')).toMatchObject({ code: 0, out: 'Bye {{name}}\n' });
    const then = await roster('show footer --version 1');
    expect(then).toMatchObject({ code: 0, out: 'Ciao\n' });
    expect(then.err).toMatch(/^footer, version 1 of 2, active, .*, key marketing$/m);
  });

  it('renders a block with what it includes', async () => {
    const files = { 'ada.json': '{ "name": "<Ada>" }' };
    const plain = await roster('render letter --variables ada.json', files);
    expect(plain).toMatchObject({ code: 0, out: 'Hi <Ada>. Bye <Ada>\n' });
    const html = await roster('render letter --variables ada.json --html', files);
    expect(html.out).toBe('Hi &lt;Ada&gt;. Bye &lt;Ada&gt;\n');
    expect((await roster('render footer --version 1')).out).toBe('Ciao\n');
  });

  it.each([
    ['show nothing', 3, 'there is no content block nothing'],
    ['show footer --version 9', 3, 'footer has no version 9: the latest one is 2'],
    ['list --workspace other', 3, 'there is no workspace other'],
    ['render broken', 2, 'broken cannot be rendered: '],
    ['render letter --variables none.json', 2, 'there is no file none.json'],
    ['render letter --variables list.json', 2, 'list.json must hold one JSON object'],
  ])('%s ends with %i', async (line, code, sentence) => {
    const ended = { code, err: expect.stringContaining(sentence) };
    expect(await roster(line, { 'list.json': '[]' })).toMatchObject(ended);
  });
});
