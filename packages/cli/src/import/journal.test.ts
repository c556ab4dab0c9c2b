import {
  appendFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { useFolder } from '@roster/testkit';
import { createJournal, type Journaled } from './journal.ts';
import { refusedRowsPathOf } from './refused-rows.ts';
import { obstacleOf, readState, type SavedState, statePathOf } from './state-file.ts';
import { keyIdOf } from './target.ts';
import { noTotals } from './totals.ts';

describe('the journal of an import', () => {
  const inFolder = useFolder({ forEach: true });
  let file = '';
  let statePath = '';
  let refusedPath = '';
  let refusedRowsPath = '';
  let time = 0;

  beforeEach(() => {
    file = inFolder('people.csv');
    [statePath, refusedPath] = [statePathOf(file), `${file}.refused.ndjson`];
    refusedRowsPath = `${file}.refused.csv`;
    writeFileSync(file, 'external_id\na\nb\nc\n');
    time = 1_000_000;
  });

  const settings = { type: 'attributes' };
  const target = { url: 'http://a', key: 'k' };
  const journal = (from?: SavedState, more: Partial<Journaled> = {}) =>
    createJournal({ file, refusedPath, refusedRowsPath, target, settings, ...more }, from, () => time);
  const refusal = (line: number) => ({ line, code: 'NO', sentence: 'no' });
  const at = (bytes: number, line: number) => ({ bytes, line });
  const refusedLines = () =>
    existsSync(refusedPath) ? readFileSync(refusedPath, 'utf8').split('\n').filter(Boolean).length : 0;
  const saved = () => {
    const state = readState(statePath);
    if (!state) throw new Error('nothing was saved');
    return state;
  };
  const obstacle = (more = {}) => obstacleOf(saved(), { file, key: keyIdOf(target.key), settings, ...more });

  it('says how far it has come, at most twice a second and at the end', () => {
    const { add, save } = journal();
    add(at(14, 3), noTotals());
    expect(saved()).toMatchObject({ position: at(14, 3), complete: false });
    time += 100;
    add(at(16, 4), noTotals());
    expect(saved().position).toEqual(at(14, 3));
    save(true);
    expect(saved()).toMatchObject({ position: at(16, 4), complete: true });
    expect(readdirSync(inFolder()).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('writes each refusal once, though it is told again after a crash', () => {
    const first = journal();
    first.add(at(14, 3), noTotals(), { refusals: [refusal(2)] });
    // Written after the last saved state, as by a process that dies between the two.
    appendFileSync(refusedPath, `${JSON.stringify(refusal(3))}\n`);
    expect(refusedLines()).toBe(2);
    const second = journal(saved());
    expect(refusedLines()).toBe(1);
    second.add(at(16, 4), noTotals(), { refusals: [refusal(3)] });
    second.save(true);
    expect(refusedLines()).toBe(2);
  });

  it('writes the rows of refusals as they stand, below the header, once', () => {
    const row = (line: number, text: string) => ({ line, raw: Buffer.from(text) });
    const rows = () => readFileSync(refusedRowsPath, 'utf8');
    const begun = (from?: SavedState) => {
      const one = journal(from);
      one.begin(Buffer.from('external_id\n'));
      return one;
    };
    begun().add(at(14, 3), noTotals(), { refusals: [refusal(2)], raws: [row(2, '"a\n'), row(3, 'b\n')] });
    appendFileSync(refusedRowsPath, 'lost');
    const second = begun(saved());
    second.add(at(16, 4), noTotals(), { refusals: [refusal(4)], raws: [row(4, 'c')] });
    second.save(true);
    expect(rows()).toBe('external_id\n"a\nc');
    begun();
    expect(existsSync(refusedRowsPath)).toBe(false);
  });

  it.each([
    ['people.csv.refused.ndjson', 'people.csv', 'people.csv.refused.csv'],
    ['people.tsv.refused.ndjson', 'people.tsv', 'people.tsv.refused.tsv'],
    ['standard-input.refused.ndjson', '-', 'standard-input.refused.csv'],
    ['people.ndjson', 'people.csv', 'people.ndjson.csv'],
  ])('beside %s of %s the rows stand in %s', (list, of, rows) => {
    expect(refusedRowsPathOf(list, of)).toBe(rows);
  });

  it('lists what was left out, but for what stays behind of everybody', () => {
    const leftOutPath = `${file}.left-out.ndjson`;
    const left = (line: number, name: string) => ({ line, person: { external_id: 'a' }, name, reason: 'no' });
    const first = journal(undefined, { leftOutPath });
    first.add(at(14, 3), noTotals(), { leftOut: [left(2, 'dob'), left(2, 'random_bucket')] });
    appendFileSync(leftOutPath, 'lost');
    const second = journal(saved(), { leftOutPath });
    second.add(at(16, 4), noTotals(), { leftOut: [left(4, 'email')] });
    second.save(true);
    const lines = readFileSync(leftOutPath, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([left(2, 'dob'), left(4, 'email')]);
  });

  it('leaves a device that stands in place of the list', () => {
    symlinkSync('/dev/null', refusedPath);
    journal().add(at(14, 3), noTotals(), { refusals: [refusal(2)] });
    expect(lstatSync(refusedPath).isSymbolicLink()).toBe(true);
  });

  it('begins a new list when it begins anew', () => {
    writeFileSync(refusedPath, 'old\n');
    journal();
    expect(existsSync(refusedPath)).toBe(false);
  });

  it('keeps only the list for standard input', () => {
    const { add, save } = journal(undefined, { file: '-' });
    add(at(14, 3), noTotals(), { refusals: [refusal(2)] });
    save(true);
    expect([existsSync(statePathOf('-')), refusedLines()]).toEqual([false, 1]);
  });

  describe('leads on', () => {
    beforeEach(() => journal().add(at(14, 3), noTotals()));

    it('in the same file, and in one that has grown', () => {
      expect(obstacle()).toBeUndefined();
      appendFileSync(file, 'd\n');
      expect(obstacle()).toBeUndefined();
    });

    it.each([
      ['another key', { key: 'other' }, /started with the key [0-9a-f]{12} at http:\/\/a/],
      ['other settings', { settings: { type: 'event', run: '2' } }, /other settings \(type, run\)/],
    ])('not with %s', (_, more, sentence) => {
      expect(obstacle(more)).toMatch(sentence);
      expect(obstacle(more)).toContain('--restart');
    });

    it('with another key while nothing is done: the first one was wrong', () => {
      const nothing = journal();
      nothing.add(at(0, 1), noTotals());
      nothing.save(false);
      expect(obstacle({ key: 'other' })).toBeUndefined();
    });

    it.each([
      ['is another', 'external_id\nx\ny\nz\n', /was changed: its first/],
      ['is shorter', 'external_id\n', /was changed: its first/],
    ])('not in a file that %s', (_, content, sentence) => {
      writeFileSync(file, content);
      expect(obstacle()).toMatch(sentence);
    });

    it('not within a line that has grown', () => {
      writeFileSync(file, 'external_id\na');
      const whole = journal();
      whole.add(at(13, 2), noTotals());
      whole.save(true);
      appendFileSync(file, 'bc\n');
      expect(obstacle()).toMatch(/last line of .* was changed/);
    });

    it('not from something else', () => {
      writeFileSync(statePath, '{"version":2}');
      expect(() => readState(statePath)).toThrow(/no state of an import.*--restart/);
    });
  });
});
