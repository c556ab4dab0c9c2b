/** Files as another program writes them (fastavro), by the schemas of the public documentation. */
import { execFile } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useFolder } from '@roster/testkit';
import { run } from '../test-io.ts';
import { readStreamEvent } from './stream-event.ts';

const sample = (name: string): string => join(__dirname, 'samples', name);
const inFolder = useFolder();

const history = async (from: string, name: string) => {
  const out = inFolder(name);
  const result = await run(`history ${from} --out ${out} --json`);
  const lines = existsSync(out) ? readFileSync(out, 'utf8').split('\n').slice(0, -1) : [];
  return { ...result, lines, counts: result.code === 0 ? JSON.parse(result.out) : {} };
};

const record = {
  id: 'e1',
  user_id: 'b',
  external_user_id: 'ada',
  time: 1_700_000_000,
  name: 'Opened Shop',
  properties: '{"n":9007199254740993}',
  app_id: null,
};

describe('roster history', () => {
  it.each(['null', 'deflate', 'snappy'])(
    'reads Avro with blocks of %s, and each event once',
    async (codec) => {
      const { counts, lines } = await history(sample(`events-${codec}.avro`), `${codec}.ndjson`);
      expect(counts).toMatchObject({ event: 300, purchase: 0, twice: 1, nobody: 1, other: 0 });
      expect(lines).toHaveLength(300);
      expect(lines[7]).toBe(
        '{"type":"event","name":"Opened Shop","external_id":"stream-ada","time":"2023-11-14T22:13:27.000Z",' +
          '"app_id":"demo-app","properties":{"n":7,"long":9007199254740993}}',
      );
    },
  );

  it('reads all files of a folder, and knows an event of one again in another', async () => {
    const { counts, lines } = await history(sample(''), 'all.ndjson');
    expect(counts).toMatchObject({ files: 5, event: 300, purchase: 2, twice: 604, nobody: 3, other: 1 });
    expect(lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'purchase')[0]).toMatchObject({
      product_id: 'tea',
      price: 4.99,
      currency: 'USD',
    });
  });

  it('does so as it is bundled', async () => {
    const bundle = join(__dirname, '../../../../bundle/roster.js');
    const out = inFolder('bundled.ndjson');
    const args = [bundle, 'history', sample('events-snappy.avro'), '--out', out];
    await promisify(execFile)(process.execPath, args);
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(300);
  });

  it('reads lines of JSON', async () => {
    const other = { ...record, id: 'e2', name: undefined, campaign_name: 'x' };
    writeFileSync(
      inFolder('s.json'),
      [record, record, other].map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    const { counts, lines } = await history(inFolder('s.json'), 'json.ndjson');
    expect(counts).toMatchObject({ event: 1, twice: 1, other: 1 });
    expect(lines).toEqual([expect.stringContaining('"properties":{"n":9007199254740993}')]);
  });

  it.each([
    ['no Avro', (file: string) => writeFileSync(file, 'not Avro')],
    ['cut off', (file: string) => truncateSync(file, 20_000)],
    ['followed by something', (file: string) => appendFileSync(file, 'x'.repeat(100))],
  ])('tells that a file is %s, and writes none', async (name, spoil) => {
    const file = inFolder(`${name.replaceAll(' ', '-')}.avro`);
    copyFileSync(sample('events-null.avro'), file);
    spoil(file);
    const out = `${name.replaceAll(' ', '-')}.ndjson`;
    const { code, err } = await history(file, out);
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be read as Avro')]);
    expect(existsSync(inFolder(out))).toBe(false);
  });

  it('writes over no file', async () => {
    writeFileSync(inFolder('there.ndjson'), 'mine');
    expect((await history(sample(''), 'there.ndjson')).code).toBe(2);
    expect(readFileSync(inFolder('there.ndjson'), 'utf8')).toBe('mine');
  });

  it.each([
    [4.989999771118164, 4.99],
    [0.10000000149011612, 0.1],
    [12.5, 12.5],
    [4.99, 4.99],
    [1_234_567.875, 1_234_567.9],
    [3, 3],
  ])('has the price that was meant: %s is %s', (price, meant) => {
    const told = readStreamEvent({ ...record, product_id: 'tea', currency: 'USD', price });
    expect(told).toMatchObject({ kind: 'purchase', line: { price: meant } });
  });
});
