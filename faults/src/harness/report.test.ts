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
const twice = findings('2 events are stored twice');

const verdicts: [title: string, Result, ReturnType<typeof verdictOf>][] = [
  [
    'holds when nothing broke and the control broke its promise',
    result({ findings: findings(), control: twice }),
    'held',
  ],
  [
    'holds when the control broke another promise beside its own',
    result({ findings: findings(), control: findings('3 are lost', '2 events are stored twice') }),
    'held',
  ],
  ['is broken when a promise broke', result({ findings: findings('3 are lost'), control: twice }), 'BROKEN'],
  ['holds when nobody asked for the control', result({ findings: findings(), uncontrolled: true }), 'held'],
  ['shows nothing without a control', result({ findings: findings() }), 'INVALID'],
  [
    'shows nothing when the control broke nothing',
    result({ findings: findings(), control: findings() }),
    'INVALID',
  ],
  [
    'shows nothing when the control broke only another promise',
    result({ findings: findings(), control: findings('it ended with null') }),
    'INVALID',
  ],
  [
    'is an error when the harness failed in the control',
    result({ findings: findings(), error: 'no disk' }),
    'ERROR',
  ],
  ['is an error when there are no findings', result({}), 'ERROR'],
  [
    'was not tried when it was skipped',
    result({ skipped: { reason: 'not root', permitted: false } }),
    'UNTRIED',
  ],
  ['may be skipped with permission', result({ skipped: { reason: 'not root', permitted: true } }), 'skipped'],
];

describe('the verdict on a fault', () => {
  it.each(verdicts)('%s', (_title, given, verdict) => expect(verdictOf(given)).toBe(verdict));
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
    const skipped = { reason: 'not root', permitted: true };
    expect(partOf(result({ skipped }))).toMatchObject({ verdict: 'skipped', broken: ['not root'] });
  });
});

describe('the totals', () => {
  it('count everything as failed that neither held nor had permission to be skipped', () => {
    expect(totalsOf(verdicts.map(([, given]) => given))).toEqual({ passed: 3, failed: 7 });
  });
});

describe('the report', () => {
  it('names the promise that the control broke', () => {
    const text = paragraph(
      result({ findings: findings(), control: findings('3 are lost', ...twice.broken) }),
    );
    expect(text).toContain('control (marks): 2 events are stored twice');
  });

  it('says when the control broke only something else', () => {
    const text = paragraph(result({ findings: findings(), control: findings('it ended with null') }));
    expect(text).toContain('NO SENTENCE LIKE /stored twice/');
  });

  it('gives the reason why a fault was not tried', () => {
    const skipped = { reason: 'only root may mount a loop device', permitted: false };
    expect(summary(result({ skipped }))).toMatch(/^UNTRIED .*only root may mount a loop device$/);
  });
});
