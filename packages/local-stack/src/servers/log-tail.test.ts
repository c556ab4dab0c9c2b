import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { useFolder } from '@roster/testkit';
import { logTail } from './log-tail.ts';

describe('the end of a log', () => {
  const inFolder = useFolder();

  it('is its last lines, however long it is', () => {
    const file = inFolder('log');
    writeFileSync(file, `${'x'.repeat(1_000_000)}\none\ntwo\n`);
    expect(logTail(file, 2)).toBe('one\ntwo');
  });

  it('is nothing when the log is a device without an end, or a pipe without a writer', () => {
    const pipe = inFolder('pipe');
    execFileSync('mkfifo', [pipe]);
    expect([logTail('/dev/full'), logTail(pipe), logTail(inFolder('none'))]).toEqual(['', '', '']);
  });
});
