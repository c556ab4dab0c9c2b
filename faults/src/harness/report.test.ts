import type { Fault, Findings } from './fault.ts';
import { paragraph, partOf, type Result, summary, totalsOf, verdictOf } from './report.ts';

const findings = (...broken: string[]): Findings => ({ figures: { accepted: 3 }, broken });

const fault: Fault = {
  name: 'example',
  title: 'something dies: nothing is lost',
  run: async () => findings(),
  control: { without: 'marks', breaks: /stored twice/, run: async () => findings() },
};

const result = (more: Partial<Result>): Result => ({ fault, seconds: 1, ...more });
const fine = findings();
const twice = findings('2 events are stored twice');
const another = findings('it ended with null');
const notRoot = { reason: 'not root', permitted: false };

const verdicts: [title: string, Partial<Result>, ReturnType<typeof verdictOf>][] = [
  ['holds when nothing broke and the control broke its promise', { findings: fine, control: twice }, 'held'],
  [
    'holds when the control broke another promise beside its own',
    { findings: fine, control: findings('3 are lost', ...twice.broken) },
    'held',
  ],
  ['is broken when a promise broke', { findings: findings('3 are lost'), control: twice }, 'BROKEN'],
  ['holds when nobody asked for the control', { findings: fine, uncontrolled: true }, 'held'],
  ['shows nothing without a control', { findings: fine }, 'INVALID'],
  ['shows nothing when the control broke nothing', { findings: fine, control: fine }, 'INVALID'],
  ['shows nothing when the control broke only another one', { findings: fine, control: another }, 'INVALID'],
  ['is an error when the harness failed in the control', { findings: fine, error: 'no disk' }, 'ERROR'],
  ['is an error when there are no findings', {}, 'ERROR'],
  ['was not tried when it was skipped', { skipped: notRoot }, 'UNTRIED'],
  ['may be skipped with permission', { skipped: { ...notRoot, permitted: true } }, 'skipped'],
];

describe('the verdict on a fault', () => {
  it.each(verdicts)('%s', (_title, given, verdict) => expect(verdictOf(result(given))).toBe(verdict));
});

describe('a part of the results, for programs', () => {
  it('says what broke and which seed plays it again', () => {
    const broken = result({ seconds: 12.4, findings: { ...twice, seed: 7 } });
    expect(partOf(broken)).toEqual({
      name: 'example',
      verdict: 'BROKEN',
      seconds: 12,
      seed: 7,
      broken: ['2 events are stored twice'],
    });
  });

  it('says why there are no findings', () => {
    expect(partOf(result({ error: 'no disk\n  at somewhere' }))).toMatchObject({ broken: ['no disk'] });
    const skipped = { ...notRoot, permitted: true };
    expect(partOf(result({ skipped }))).toMatchObject({ verdict: 'skipped', broken: ['not root'] });
  });
});

describe('the totals', () => {
  it('count everything as failed that neither held nor had permission to be skipped', () => {
    expect(totalsOf(verdicts.map(([, given]) => result(given)))).toEqual({ passed: 3, failed: 7 });
  });
});

describe('the report', () => {
  it('names the promise that the control broke', () => {
    const control = findings('3 are lost', ...twice.broken);
    expect(paragraph(result({ findings: fine, control }))).toContain(
      'control (marks): 2 events are stored twice',
    );
  });

  it('says when the control broke only something else', () => {
    const text = paragraph(result({ findings: fine, control: another }));
    expect(text).toContain('NO SENTENCE LIKE /stored twice/');
  });

  it('gives the reason why a fault was not tried', () => {
    expect(summary(result({ skipped: notRoot }))).toMatch(/^UNTRIED .*not root$/);
  });
});
