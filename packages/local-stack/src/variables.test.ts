import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { mostPort, numberIn } from './variables.ts';

it.each([
  ['', undefined],
  ['0', 0],
  ['8080', 8080],
  ['65535', 65_535],
])('reads the port %j', (PORT, expected) => {
  expect(numberIn({ PORT }, 'PORT', mostPort)).toBe(expected);
});

it.each(['80a', '-1', '1.5', '65536', ' '])('says what is wrong with the port %j', (PORT) => {
  const wrong = `PORT must be a whole number from 0 to 65535, not ${PORT}.`;
  expect(() => numberIn({ PORT }, 'PORT', mostPort)).toThrow(wrong);
});

it('npm start takes no options: it says how the port is chosen, and starts nothing', async () => {
  const script = join(__dirname, '../../../scripts/start.mjs');
  const ended = await new Promise<[code: unknown, out: string, err: string]>((resolve) => {
    const child = execFile(process.execPath, [script, '--port', '9000'], (_error, out, err) =>
      resolve([child.exitCode, out, err]),
    );
  });
  expect(ended).toEqual([2, '', expect.stringContaining('PORT=9000 npm start')]);
});
