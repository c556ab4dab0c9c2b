import { mostGroups } from '../form.ts';
import type { GroupState } from '../preferences.ts';
import { aPerson, rendered } from './testbed.ts';

const groupsOf = (channel: GroupState['channel'], count: number): GroupState[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${channel}-${n}`, name: 'one', channel, state: null }));

const pageOf = (groups: readonly GroupState[], hasPhone = true): Promise<string> =>
  rendered('page', aPerson({ groups, hasPhone }));

/** How many groups of emails and of text messages the page shows. */
const shownIn = (html: string): number[] =>
  ['id="email-', 'id="text-'].map((mark) => html.split(mark).length - 1);

describe('the default preference center of many groups', () => {
  it.each<[string, GroupState[], number[]]>([
    ['text messages stand before emails', [...groupsOf('sms', mostGroups), ...groupsOf('email', 3)], [3, 97]],
    ['emails fill the form', [...groupsOf('email', mostGroups + 1), ...groupsOf('sms', 2)], [mostGroups, 0]],
    ['all have room', [...groupsOf('email', 2), ...groupsOf('sms', 2)], [2, 2]],
  ])('shows as many as a form may hold, emails first: %s', async (_, groups, shown) =>
    expect(shownIn(await pageOf(groups))).toEqual(shown),
  );

  it('shows people without a phone all groups of emails', async () =>
    expect(shownIn(await pageOf([...groupsOf('sms', mostGroups), ...groupsOf('email', 3)], false))).toEqual([
      3, 0,
    ]));
});
