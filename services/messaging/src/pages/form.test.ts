import { groupField } from '@roster/liquid';
import { choiceIn, everythingField, mostFormBytes, mostGroups, shownField } from './form.ts';
import type { GroupState } from './preferences.ts';

const group = (id: string): GroupState => ({ id, name: id, channel: 'email', state: null });
const about = { groups: [group('news'), group('offers')], hasPhone: false, emails: null };

const choice = (body: string, states = about) => {
  const chosen = choiceIn(body, states);
  return chosen && [chosen.emails, Object.fromEntries(chosen.groups)];
};

describe('a submitted form', () => {
  it.each<[string, string | undefined, object]>([
    ['group.news=subscribed', undefined, { news: 'subscribed' }],
    [
      'group.news=unsubscribed&group.news=subscribed&group.offers=unsubscribed',
      undefined,
      { news: 'subscribed', offers: 'unsubscribed' },
    ],
    ['email_global_state=opted_in', 'opted_in', {}],
    ['email_global_state=unsubscribed&group.news=opted_in', 'unsubscribed', {}],
    ['group.other=subscribed&group.news=yes&email_global_state=no', undefined, {}],
    [
      'unsubscribe_all=1&group.news=subscribed&email_global_state=opted_in',
      'unsubscribed',
      { news: 'unsubscribed', offers: 'unsubscribed' },
    ],
    ['unsubscribe_all=0&group.news=subscribed', undefined, { news: 'subscribed' }],
    ['shown.group.news=subscribed', undefined, { news: 'unsubscribed' }],
    ['shown.group.news=unsubscribed', undefined, {}],
    ['shown.group.news=unsubscribed&group.news=subscribed', undefined, { news: 'subscribed' }],
    ['shown.email_global_state=opted_in&email_global_state=opted_in', undefined, {}],
    ['shown.email_global_state=subscribed&email_global_state=opted_in', 'opted_in', {}],
    ['shown.email_global_state=subscribed', 'unsubscribed', {}],
    ['shown.group.other=subscribed', undefined, {}],
    ['', undefined, {}],
    ['%E0%A4%A&=&&__proto__=x', undefined, {}],
  ])('%s', (body, emails, groups) => {
    expect(choice(body)).toEqual([emails, groups]);
  });

  it.each<[string, GroupState['state'], [unknown, object] | undefined]>([
    ['shown.group.news=subscribed&group.news=subscribed', 'subscribed', [undefined, {}]],
    ['shown.group.news=subscribed&group.news=subscribed', 'unsubscribed', undefined],
    ['shown.group.news=unsubscribed', 'subscribed', undefined],
    [
      'shown.group.news=unsubscribed&group.news=subscribed',
      'subscribed',
      [undefined, { news: 'subscribed' }],
    ],
    ['shown.group.news=unsubscribed&email_global_state=unsubscribed', 'subscribed', undefined],
    ['group.news=unsubscribed', 'subscribed', [undefined, { news: 'unsubscribed' }]],
  ])('%s, when the group is %p now', (body, state, expected) => {
    expect(choice(body, { ...about, groups: [{ ...group('news'), state }] })).toEqual(expected);
  });

  it('has room for as many groups as the default preference center shows, and not for endless fields', () => {
    const groups = Array.from({ length: mostGroups }, (_, n) => group(`${n}`.padStart(64, 'g')));
    const fields = groups.map(
      ({ id }) => `${shownField(groupField(id))}=unsubscribed&${groupField(id)}=subscribed`,
    );
    const body = [...fields, `${everythingField}=0`].join('&');
    expect(body.length).toBeLessThan(mostFormBytes);
    expect(choiceIn(body, { ...about, groups })?.groups.size).toBe(mostGroups);
    expect(choiceIn(`${'x=1&'.repeat(250)}group.news=subscribed`, about)?.groups.size).toBe(0);
  });

  it('that unsubscribes from everything names no group of text messages to people who cannot get it', () => {
    const texts = { ...group('texts'), channel: 'sms' as const };
    const left = (hasPhone: boolean, state: GroupState['state']) => {
      const groups = [group('news'), { ...texts, state }];
      return [...(choiceIn('unsubscribe_all=1', { ...about, groups, hasPhone })?.groups.keys() ?? [])];
    };
    expect([left(false, null), left(true, null), left(false, 'subscribed')]).toEqual([
      ['news'],
      ['news', 'texts'],
      ['news', 'texts'],
    ]);
  });
});
