/** What is unpacked in strides is the same as what is unpacked at once. */
import type { Profile } from '@roster/profile';
import { createBreath, documentIn } from '@roster/store';
import { useStore } from '@roster/testkit';
import { attributesOf, unpacked } from './person.ts';
import { aPerson, createTestbed } from './testbed.ts';

const test = createTestbed(useStore());

const nested = JSON.parse(
  '{"__proto__": {"a": [1, null, {"é": 2.5}]}, "": "", "constructor": true, "long": 1e15}',
);

const odd = aPerson(
  {
    _id: 'odd',
    external_id: 'odd 😀',
    former_ids: ['a', ''],
    aliases: [{ label: 'crm', name: 'é' }],
    absorbed: ['x'],
  },
  [
    { kind: 'field', name: 'email', value: 'a@example.com' },
    { kind: 'field', name: 'facebook', value: { id: '7', likes: ['a', 'b'] } },
    { kind: 'consent', k: 'email', v: 'opted_in' },
    { kind: 'list', name: 'devices', items: [{ k: 'd', v: { device_id: 'd', ad_tracking_enabled: false } }] },
    { kind: 'list', name: 'apps', items: null },
    { kind: 'set', name: '__proto__', value: nested },
    { kind: 'set', name: '10', value: [true, 'x', 0.1] },
    { kind: 'set', name: 'removed', value: null },
  ],
);

const rawOf = async (_id: string): Promise<Buffer> => {
  const [bytes] = await test.store.profiles.find<Buffer>({ _id }, { raw: true } as object).toArray();
  return bytes ?? Buffer.alloc(5);
};

it.each([
  ['odd', odd],
  ['bare', aPerson({ _id: 'bare' })],
])('a profile is whole: %s', async (id, stored) => {
  await test.add(stored);
  const bytes = await rawOf(id);
  const { custom: wanted, lists, ...rest } = documentIn<Profile>(bytes);
  const breath = createBreath();
  const person = await unpacked(bytes, breath);
  const custom: unknown[] = [];
  for await (const one of attributesOf(person, breath)) custom.push(one);
  expect(person.profile).toEqual({
    ...rest,
    lists: Object.fromEntries(Object.entries(lists).map(([name, { items }]) => [name, { items }])),
    custom: [],
  });
  expect(custom).toEqual(wanted);
});
