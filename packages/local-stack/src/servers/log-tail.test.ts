import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTail } from './log-tail.ts';

describe('the end of a log', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'roster-tail-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('is its last lines, however long it is', () => {
    const file = join(dir, 'log');
    writeFileSync(file, `${'x'.repeat(1_000_000)}\none\ntwo\n`);
    expect(logTail(file, 2)).toBe('one\ntwo');
  });

  it('is nothing when the log is a device without an end, or a pipe without a writer', () => {
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect([logTail('/dev/full'), logTail(pipe), logTail(join(dir, 'none'))]).toEqual(['', '', '']);
  });
});
