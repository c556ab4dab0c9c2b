import { groupField } from '@roster/liquid';
import { choiceIn, everythingField, mostFormBytes, mostGroups } from './form.ts';
import type { GroupState } from './preferences.ts';

const group = (id: string): GroupState => ({ id, name: id, channel: 'email', state: null });
const about = { groups: [group('news'), group('offers')] };

const choice = (body: string) => {
  const { emails, groups } = choiceIn(body, about);
  return [emails, Object.fromEntries(groups)];
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
    ['', undefined, {}],
    ['%E0%A4%A&=&&__proto__=x', undefined, {}],
  ])('%s', (body, emails, groups) => {
    expect(choice(body)).toEqual([emails, groups]);
  });

  it('has room for as many groups as the default preference center shows, and not for endless fields', () => {
    const groups = Array.from({ length: mostGroups }, (_, n) => group(`${n}`.padStart(64, 'g')));
    const fields = groups.map(({ id }) => `${groupField(id)}=unsubscribed&${groupField(id)}=subscribed`);
    const body = [`${everythingField}=0`, ...fields].join('&');
    expect(body.length).toBeLessThan(mostFormBytes);
    expect(choiceIn(body, { groups }).groups.size).toBe(mostGroups);
    expect(choiceIn(`${'x=1&'.repeat(250)}group.news=subscribed`, about).groups.size).toBe(0);
  });
});
