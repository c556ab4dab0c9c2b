import { readFileSync, rmSync } from 'node:fs';
import { inLongRuns, until, useFolder } from '@roster/testkit';
import { createLog, type Log, visible } from './log.ts';
import { maskText } from './log-error.ts';

describe('the log', () => {
  const inFolder = useFolder();

  const linesOf = async (write: (log: Log) => void) => {
    const file = inFolder('lines.json');
    rmSync(file, { force: true });
    const log = createLog({ service: 'track', to: file });
    write(log);
    await log.flush();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('writes one JSON object a line', async () => {
    const [line] = await linesOf((log) => log.info({ op: 'users.track', ms: 3, code: undefined }, 'applied'));
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-/),
      service: 'track',
      op: 'users.track',
      ms: 3,
      msg: 'applied',
    });
  });

  it('writes what is gathered without being asked', async () => {
    const file = inFolder('by-itself.json');
    createLog({ service: 'track', to: file }).info('hello');
    await until(() => readFileSync(file, 'utf8').includes('hello'));
  });

  it('writes no field that it does not know, only its name', async () => {
    const lines = await linesOf((log) => {
      log.info({ email: 'ada@example.org', body: { a: 1 }, entries: 2 }, 'applied');
      log.child({ external_id: 'ada' }).warn('again');
    });
    expect(lines[0]).toMatchObject({ entries: 2, hidden: ['email', 'body'] });
    expect(JSON.stringify(lines)).not.toMatch(/ada|"a":1/);
  });

  it('writes the cause of an error without the values it quotes', async () => {
    const cause = new Error(
      'E11000 duplicate key error: index: email_1 dup key: { email: "ada@example.org" }',
    );
    const [line] = await linesOf((log) => log.error({ err: new TypeError('no way', { cause }) }, 'failed'));
    expect(line?.err).toMatchObject({
      name: 'TypeError',
      message: 'no way',
      cause: expect.stringContaining('E11000'),
    });
    expect(JSON.stringify(line)).not.toContain('ada');
  });

  it.each([
    ['mail to ada@example.org failed', 'mail to <email> failed'],
    ['call +49 170 1234567', 'call <number>'],
    ['key rk_abc_def_ghi is old', 'key <key> is old'],
    ['token rs_abc_def_ghi is old', 'token <key> is old'],
    ['connect redis://me:secret@host:1', 'connect redis://<login>@host:1'],
    ['Unexpected token in "Ada Lovelace"', 'Unexpected token in "..."'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'],
  ])('masks %j', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it('is short and soon done with what is long', () => {
    const started = performance.now();
    for (const part of ['a', 'ada ', '1 ', '{', 'ada@', 'x://ada:b/'])
      expect(maskText(part.repeat(100_000)).length).toBeLessThanOrEqual(500);
    inLongRuns(() => expect(performance.now() - started).toBeLessThan(2_000));
  });

  it.each([
    ['an address', `"${'x'.repeat(1960)}" `, 'ada@example.org', ''],
    ['what stands in braces', 'dup key: { name: ada, city: "x", text: "', '', 'ada '],
    ['a quotation', 'Unexpected token in "', '', 'ada '],
  ])('does not tell the beginning of %s when it cuts through it', (_what, before, said, filler) => {
    for (let shift = 0; shift < 40; shift++) {
      const masked = maskText(
        `${before}${'-'.repeat(shift)} ${said}${filler.repeat(1000)} ${'.'.repeat(2000)}`,
      );
      expect(masked).not.toContain('ada');
    }
  });

  it('takes no object for harmless because of its name', () => {
    expect(visible({ reason: { email: 'ada@example.org' } })).toEqual({ hidden: ['reason'] });
  });
});
