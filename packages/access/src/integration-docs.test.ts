import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntegrationSettingsSchema } from './integration-settings.ts';

const guide = readFileSync(join(__dirname, '../../../docs/integrations.md'), 'utf8');
const [, sources = ''] = guide.split('\n## Sources\n');
const lines = sources.split('\n').filter((line) => line.startsWith('| `'));

const isLiteral = (value: unknown): value is { const: string } =>
  typeof value === 'object' && value !== null && 'const' in value;
/** A kind, or a union of several. */
const kindsIn = (kind: object): readonly string[] =>
  ('anyOf' in kind && Array.isArray(kind.anyOf) ? kind.anyOf : [kind])
    .filter(isLiteral)
    .map((one) => one.const);

const connections = IntegrationSettingsSchema.properties.connections.items.anyOf.flatMap(({ properties }) => {
  const { id, kind, ...settings } = properties;
  return kindsIn(kind).map((name) => [name, Object.keys(settings)] as const);
});

describe('the guide of integrations', () => {
  it('knows the kinds of the schema', () => {
    expect(connections.map(([name]) => name)).toEqual(
      expect.arrayContaining(['postgresql', 'files', 's3', 'bigquery', 'snowflake', 'databricks']),
    );
  });

  it.each(connections)('names %s and its settings', (name, settings) => {
    const line = lines.find((one) => one.split('|')[1]?.includes(`\`${name}\``)) ?? '';
    expect(settings.filter((setting) => !line.includes(`\`${setting}\``))).toEqual([]);
  });
});
