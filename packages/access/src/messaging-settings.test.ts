import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsIn } from '@roster/testkit';
import { AppChannelsSchema, MessagingSettingsSchema, pushOf } from './messaging-settings.ts';
import { completeSettings } from './settings.ts';

const problemsOf = (messaging: object): string[] =>
  problemsIn(() => completeSettings({ id: 'demo', messaging }));

describe('settings of messages', () => {
  it('keep what is given', () => {
    const given = {
      time_zone: 'Europe/Vienna',
      quiet_hours: { from: '22:00', to: '08:00' },
      frequency_caps: [{ channel: 'email', sends: 3, days: 7 }],
      late_minutes: 10_080,
      resend_unknown: true,
      webhook_private_hosts: true,
    };
    expect(completeSettings({ id: 'demo', messaging: given }).messaging).toEqual(given);
  });

  const ios_push = {
    key: { file: 'key.p8' },
    key_id: 'ABC123DEFG',
    team_id: 'DEF123GHIJ',
    topic: 'com.example.shop',
  };
  const droid_push = { account: { file: 'firebase.json' } };
  const web_push = {
    private_key: { file: 'vapid' },
    public_key: 'B'.repeat(87),
    contact: 'mailto:push@example.com',
  };

  it('say which pushes the devices of an app get', () => {
    const apps = [
      { id: 'a', name: 'A', platform: 'ios' },
      { id: 'b', name: 'B', channels: { ios_push } },
      { id: 'c', name: 'C' },
      { id: 'd', name: 'D', channels: { droid_push } },
      { id: 'e', name: 'E', platform: 'web', channels: { web_push } },
    ];
    expect(completeSettings({ id: 'demo', apps }).apps.map(pushOf)).toEqual([
      'ios_push',
      'ios_push',
      undefined,
      'droid_push',
      'web_push',
    ]);
  });

  const web = (more: object) => ({ channels: { web_push: { ...web_push, ...more } } });
  const other = 'belongs to another platform than its app: make an app of its own';
  it.each([
    [{ platform: 'windows' }, 'platform must be one of ios, android, web'],
    [{ platform: 'android', channels: { ios_push } }, `channels.ios_push ${other}`],
    [
      web({ contact: 'nobody' }),
      'channels.web_push.contact must be mailto: with an email, or an https:// address',
    ],
    [web({ public_key: 'x' }), 'channels.web_push.public_key must be 87 characters of base64url'],
    [{ channels: { ios_push, droid_push } }, `channels.droid_push ${other}`],
  ])('refuse the app %j', (app, problem) => {
    const apps = [{ id: 'a', name: 'A', ...app }];
    expect(problemsIn(() => completeSettings({ id: 'demo', apps }))).toEqual([`apps[0].${problem}`]);
  });

  const cap = { channel: 'email', sends: 1, days: 1 };
  it.each([
    [{ quiet_hours: { from: '24:00', to: '08:00' } }, /^messaging\.quiet_hours\.from must be a time such as/],
    [{ quiet_hours: { from: '8:00', to: '09:00' } }, /^messaging\.quiet_hours\.from must be a time such as/],
    [{ quiet_hours: { from: '22:00' } }, /^messaging\.quiet_hours\.to is missing/],
    [
      { quiet_hours: { from: '08:00', to: '08:00' } },
      /^messaging\.quiet_hours must not begin and end at the/,
    ],
    [{ frequency_caps: Array.from({ length: 21 }, () => cap) }, /^messaging\.frequency_caps must be .*20$/],
    [{ frequency_caps: [{ ...cap, channel: 'fax' }] }, /^messaging\.frequency_caps\[0\]\.channel must be/],
    [{ frequency_caps: [{ ...cap, sends: 0 }] }, /^messaging\.frequency_caps\[0\]\.sends must be .*1$/],
    [{ frequency_caps: [{ ...cap, sends: 1001 }] }, /^messaging\.frequency_caps\[0\]\.sends must be .*1000$/],
    [{ frequency_caps: [{ ...cap, days: 31 }] }, /^messaging\.frequency_caps\[0\]\.days must be .*30$/],
    [{ late_minutes: 0 }, /^messaging\.late_minutes must be .*1$/],
    [{ late_minutes: 10_081 }, /^messaging\.late_minutes must be .*10080$/],
    [{ resend: true }, /^messaging\.resend is not a setting; there are .*resend_unknown/],
  ])('refuse %j', (messaging, problem) => {
    expect(problemsOf(messaging)).toEqual([expect.stringMatching(problem)]);
  });
});

describe('docs/messaging.md', () => {
  const page = readFileSync(join(__dirname, '../../../docs/messaging.md'), 'utf8');
  const [, table = ''] = /^### Members of a channel\n\n([\s\S]*?)\n\n/m.exec(page) ?? [];
  const told = [...table.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm)].flatMap(([, channel, members = '']) =>
    [...members.matchAll(/`(\w+)`/g)].map(([, member]) => `${channel}.${member}`),
  );

  it('has a row for each member of each channel, and for no other', () => {
    const members = Object.entries(AppChannelsSchema.properties).flatMap(([channel, { properties }]) =>
      Object.keys(properties).map((member) => `${channel}.${member}`),
    );
    expect(members).toContain('droid_push.url');
    expect(told.toSorted()).toEqual(members.toSorted());
  });

  it.each(Object.keys(MessagingSettingsSchema.properties))('tells of the setting %s', (name) => {
    expect(page).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
