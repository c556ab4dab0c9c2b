import { completeSettings } from '@roster/access';
import { differences } from './differences.ts';

const app = (id: string, name = id) => ({ id, name });
const capped = (...frequency_caps: object[]) => ({ messaging: { frequency_caps } });
const cap = (sends: number, days = 1) => ({ channel: 'email', sends, days });
const limited = { limits: { track: { requests: 1, seconds: 1 } } };

it.each<[string, object, object, string[]]>([
  ['are none between equals', {}, {}, []],
  [
    'name the place and both values',
    {},
    { track: { max_updates: 100 }, name: 'Demo' },
    ['name: "demo" -> "Demo"', 'track.max_updates: 50 -> 100'],
  ],
  [
    'say what a list gains, changes and loses',
    { apps: [app('a'), app('b')], tags: ['x'] },
    { apps: [app('b', 'New'), app('c')], tags: ['x', 'y'] },
    ['apps: + c, - a', 'apps.b.name: "b" -> "New"', 'tags: + y'],
  ],
  [
    'know a frequency cap, which has no name, by its channel and its days',
    capped(cap(1)),
    capped(cap(2), cap(9, 7)),
    ['messaging.frequency_caps: + email in 7 days', 'messaging.frequency_caps.email in 1 days.sends: 1 -> 2'],
  ],
  ['say when only the order changed', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, ['tags: another order']],
  ['say what comes', {}, limited, ['limits.track: (none) -> {"requests":1,"seconds":1}']],
  ['say what goes', limited, {}, ['limits.track: {"requests":1,"seconds":1} -> (none)']],
])('differences of settings %s', (_, before, after, expected) => {
  const [one, other] = [before, after].map((changes) => completeSettings({ id: 'demo', ...changes }));
  expect(differences(one, other)).toEqual(expected);
});
