/** docs/messaging.md names all that the JSON of a provider may say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerIn, providerMembers } from './provider.ts';

const page = readFileSync(join(__dirname, '../../../../docs/messaging.md'), 'utf8');

/** The names in a cell of a table. */
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => String(name));

it('a member of a described provider', () => {
  const [, table = ''] = /\n\| member \| \|\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const told = table.split('\n').flatMap((row) => namesIn(row.split('|')[1]));
  expect(told.toSorted()).toEqual(Object.keys(providerMembers).toSorted());
});

/** As the refusal of another member lists them. */
const membersOf = (preset: string, given: object): string[] => {
  try {
    providerIn(JSON.stringify({ preset, ...given, nonsense: 'x' }));
  } catch (error) {
    const [, list = ''] = /nothing but preset, (.*), as texts/.exec((error as Error).message) ?? [];
    return list.split(/, | and /);
  }
  return [];
};

it.each([
  ['twilio', { account: 'AC1', token: 'x', from: '+15550100' }],
  ['whatsapp', { phone_number_id: '1', token: 'x' }],
])('a member of the preset %s', (preset, given) => {
  const [, table = ''] = /\n\| preset \| members \| \|\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  const own = rows.filter(([, name]) => name === `\`${preset}\`` || name === 'both');
  const told = own.flatMap(([, , members]) => namesIn(members));
  expect(membersOf(preset, given)).toContain('url');
  expect(told.toSorted()).toEqual(membersOf(preset, given).toSorted());
});
