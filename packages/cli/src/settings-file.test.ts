import { completeSettings } from '@roster/access';
import { workspaces } from './commands/workspace.ts';
import { readSettings } from './settings-file.ts';
import { anIo } from './test-io.ts';

const read = (text: string) =>
  readSettings(anIo({ files: { 'shop.yaml': text } }).io, 'shop.yaml', workspaces).map(
    ({ settings }) => settings,
  );

describe('a file of settings', () => {
  it('may be YAML or JSON', () => {
    const [fromYaml] = read('id: shop\ntags: [vip]\n');
    expect(read('{"id": "shop", "tags": ["vip"]}')).toEqual([fromYaml]);
    expect(fromYaml).toMatchObject({ id: 'shop', name: 'shop', tags: ['vip'] });
  });

  it('may hold several workspaces, as a list or as documents', () => {
    expect(read('- id: a\n- id: b\n').map(({ id }) => id)).toEqual(['a', 'b']);
    expect(read('id: a\n---\nid: b\n').map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('says everything that is wrong at once', () => {
    expect(() => read('- id: A\n- id: b\n  app: []\n- id: c\n- id: c\n')).toThrow(
      [
        'shop.yaml cannot be applied; nothing was changed:',
        '  - workspace A: id must be lower-case letters, digits and -, at most 40',
        `  - workspace b: app is not a setting; there are ${Object.keys(completeSettings({ id: 'b' })).join(', ')}`,
        '  - workspace c: is there more than once',
      ].join('\n'),
    );
  });

  it('says where it is no YAML', () => {
    expect(() => read('id: [a\n')).toThrow(/^shop\.yaml is not YAML or JSON:\n.*line/s);
  });

  it.each(['', '---\n', '[]'])('is not empty: %j', (text) => {
    expect(() => read(text)).toThrow('there is no workspace in it');
  });

  it('may be missing, which is said in words', () => {
    expect(() => readSettings(anIo().io, 'none.yaml', workspaces)).toThrow(/^there is no file none\.yaml\.$/);
  });
});
