import { dialect } from '../bigquery/dialect.ts';
import { countRows, readRows, sampleRows } from './statements.ts';
import { tableIn } from './table.ts';

const columns = [
  { name: 'id', type: 'INTEGER', kind: 'INTEGER' },
  { name: 'updated_at', type: 'TIMESTAMP', kind: 'TIMESTAMP' },
  { name: 'home', type: 'RECORD', kind: 'RECORD' },
];
const wanted = { table: 'crm.users', updatedAt: 'UPDATED_AT', tie: 'id' };
const table = tableIn(dialect, wanted, '`crm`.`users`', columns);
const now = new Date('2026-02-01T00:00:00Z');
const place = { moment: '2026-01-31T10:00:00.000001Z', tie: '7', isOpen: false, seen: [] };

describe('the statements of BigQuery', () => {
  it('read rows in order behind a place', () => {
    const { text, values } = readRows(dialect, table, { since: place, now }, 500);
    expect(text).toBe(
      "SELECT FORMAT_TIMESTAMP('%E4Y-%m-%dT%H:%M:%E6SZ', `updated_at`, 'UTC') AS roster_moment, " +
        'SUBSTR(CAST(`id` AS STRING), 1, 301) AS roster_tie, roster_bytes, ' +
        'CASE WHEN roster_bytes <= 1048576 THEN CAST(`id` AS STRING) END AS roster_0, ' +
        "CASE WHEN roster_bytes <= 1048576 THEN FORMAT_TIMESTAMP('%E4Y-%m-%dT%H:%M:%E6SZ', `updated_at`, 'UTC') END AS roster_1, " +
        'CASE WHEN roster_bytes <= 1048576 THEN TO_JSON_STRING(`home`) END AS roster_2 ' +
        'FROM (SELECT *, 48 + COALESCE(BYTE_LENGTH(TO_JSON_STRING(`home`)), 0) AS roster_bytes FROM `crm`.`users` ' +
        'WHERE `updated_at` <= CAST(@p1 AS TIMESTAMP) AND `updated_at` >= CAST(@p2 AS TIMESTAMP) ' +
        'AND (`updated_at` > CAST(@p2 AS TIMESTAMP) OR (`id` > CAST(@p3 AS INT64) OR `id` IS NULL))) AS roster_rows ' +
        'ORDER BY `updated_at`, `id` NULLS LAST LIMIT 500',
    );
    expect(values).toEqual(['2026-02-01T00:00:00.000Z', place.moment, '7']);
  });

  it('show some rows without an order', () => {
    const { text } = sampleRows(dialect, table, now);
    expect(text).not.toContain('ORDER');
    expect(text.endsWith('WHERE `updated_at` <= CAST(@p1 AS TIMESTAMP)) AS roster_rows LIMIT 3')).toBe(true);
  });

  it('count rows', () => {
    expect(countRows(dialect, table, { since: undefined, now })).toEqual({
      text: 'SELECT COUNT(*) FROM `crm`.`users` WHERE `updated_at` <= CAST(@p1 AS TIMESTAMP)',
      values: ['2026-02-01T00:00:00.000Z'],
    });
  });

  it('quote names: a name is no statement', () => {
    expect(dialect.quote('a`; DROP TABLE b; --\\')).toBe('`a\\`; DROP TABLE b; --\\\\`');
  });

  it('wait 14 hours longer for moments without a zone', () => {
    const dated = tableIn(dialect, wanted, '`t`', [
      columns[0] ?? { name: '', type: '', kind: '' },
      { name: 'updated_at', type: 'DATETIME', kind: 'DATETIME' },
    ]);
    expect(countRows(dialect, dated, { since: undefined, now }).values).toEqual(['2026-02-01T14:00:00.000']);
  });
});
