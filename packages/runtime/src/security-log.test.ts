import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields, Log } from './log.ts';
import { networkOf } from './network.ts';
import { type CountedEvent, createSecurityLog, securityEvents } from './security-log.ts';

const collected = (most?: number) => {
  const lines: Fields[] = [];
  const kept: CountedEvent[] = [];
  const line = (fields: Fields | string) => void (typeof fields === 'object' && lines.push(fields));
  const log = { debug: line, info: line, warn: line, error: line, fatal: line } as Partial<Log> as Log;
  const security = createSecurityLog({
    log,
    keep: async (events) => void kept.push(...events),
    ...(most && { most }),
  });
  return { lines, kept, security };
};

describe('the security log', () => {
  it('tells the first of a kind at once, and how many more there were after a minute', async () => {
    const { lines, kept, security } = collected();
    for (let times = 0; times < 10_000; times++)
      security.note({ event: 'key.refused', reason: 'unknown', from: '192.0.2.0/24' });
    expect(lines).toMatchObject([{ log: 'security', event: 'key.refused', count: 1, from: '192.0.2.0/24' }]);
    await security.close();
    expect(lines[1]).toMatchObject({ event: 'key.refused', count: 9_999 });
    expect([lines.length, kept.length]).toEqual([2, 1]);
  });

  it('tells so many kinds apart and counts the others', async () => {
    const { lines, kept, security } = collected(20);
    for (let times = 0; times < 10_000; times++)
      security.note({ event: 'key.refused', reason: 'unknown', from: `network ${times}` });
    await security.close();
    expect(lines.length).toBe(21);
    expect(lines.at(-1)).toMatchObject({ event: 'events.dropped', count: 9_980 });
    // The audit log does not tell networks apart.
    expect(kept).toMatchObject([
      { event: 'key.refused', count: 20 },
      { event: 'events.dropped', count: 9_980 },
    ]);
    expect(JSON.stringify(kept)).not.toContain('network');
  });

  it('has each of its events in SECURITY.md', () => {
    const text = readFileSync(join(__dirname, '../../../SECURITY.md'), 'utf8');
    for (const [name, description] of Object.entries(securityEvents))
      expect(text).toContain(`| \`${name}\` | ${description} |`);
  });
});

describe('the network of an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2::9', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['nowhere', undefined],
    [undefined, undefined],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));
});
