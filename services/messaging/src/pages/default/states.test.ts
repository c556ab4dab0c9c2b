/** What the default preference center shows of all combinations of states, what its form says, and what its confirmation tells. */
import { emailField, groupField } from '@roster/liquid';
import type { ConsentState } from '@roster/profile';
import { choiceIn, everythingField } from '../form.ts';
import { type GroupState, isOn, type Preferences } from '../preferences.ts';
import { languages } from '../words/choose.ts';
import { aPerson, rendered } from './testbed.ts';

const field = /<input type="(hidden|checkbox)"(?: id="[^"]*")? name="([^"]*)" value="([^"]*)"( checked)?/g;

/** The fields of a page, and the body that a browser sends after these boxes were used. */
const formIn = (html: string) => {
  const fields = [...html.matchAll(field)].map(([, type, name = '', value = '', checked]) => ({
    ...{ isBox: type === 'checkbox', name, value },
    isChecked: checked !== undefined,
  }));
  const boxes = fields.filter(({ isBox }) => isBox);
  const sent = (used: readonly string[]) =>
    fields.filter(({ isBox, name, isChecked }) => !isBox || isChecked !== used.includes(name));
  const after = (...used: string[]): string =>
    `${new URLSearchParams(sent(used).map(({ name, value }): [string, string] => [name, value]))}`;
  return { boxes, after };
};

/** The names in the lists of a confirmation, each with the heading of its list. */
const listsIn = (html: string): Map<string, string> =>
  new Map(
    [...html.matchAll(/<h2>(.*?)<\/h2><ul>(.*?)<\/ul>/g)].flatMap(([, heading = '', list = '']) =>
      [...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, name = '']) => [name, heading] as const),
    ),
  );

const emailStates: readonly Preferences['emails'][] = [null, 'opted_in', 'subscribed', 'unsubscribed'];
const groupStates: readonly GroupState['state'][] = [null, 'subscribed', 'unsubscribed'];

/** All states of emails, of a group of emails, and of one of text messages and one of WhatsApp messages: both have the channel `sms`. */
const everybody: Preferences[] = [true, false].flatMap((hasPhone) =>
  emailStates.flatMap((emails) =>
    groupStates.flatMap((news) =>
      groupStates.flatMap((texts) =>
        groupStates.map((chats) => {
          const states = { news, texts, chats };
          const groups = Object.entries(states).map(([id, state]): GroupState => {
            return { id, name: `Name of ${id}`, channel: id === 'news' ? 'email' : 'sms', state };
          });
          return aPerson({ hasPhone, emails, groups });
        }),
      ),
    ),
  ),
);

const statedIn = (body: string, preferences: Preferences): Record<string, ConsentState> | undefined => {
  const choice = choiceIn(body, preferences);
  if (!choice) return undefined;
  const ofGroups = [...choice.groups].map(([id, state]) => [groupField(id), state] as const);
  return Object.fromEntries([...(choice.emails ? [[emailField, choice.emails] as const] : []), ...ofGroups]);
};

/** What is expected is compared together with the person, so that a failure names them. */
const forEverybody = async (
  judge: (one: Preferences, form: ReturnType<typeof formIn>) => Promise<[found: unknown, expected: unknown]>,
): Promise<void> => {
  for (const one of everybody) {
    const [found, expected] = await judge(one, formIn(await rendered('page', one)));
    expect({ one, found }).toEqual({ one, found: expected });
  }
};

const fieldsShownTo = ({ groups, hasPhone }: Preferences): string[] => [
  emailField,
  ...groups
    .filter(({ channel, state }) => channel === 'email' || hasPhone || state === 'subscribed')
    .map(({ id }) => groupField(id)),
];

describe('the default preference center', () => {
  it('shows the state of all emails and of each group', () =>
    forEverybody(async (one, { boxes }) => {
      const on = new Set(one.groups.filter(isOn).map(({ id }) => groupField(id)));
      const isChecked = (name: string) =>
        name === emailField ? one.emails !== 'unsubscribed' : on.has(name);
      return [
        boxes.map((box) => [box.name, box.isChecked]),
        fieldsShownTo(one).map((name) => [name, isChecked(name)]),
      ];
    }));

  it('changes nothing when it is saved as it was opened', () =>
    forEverybody(async (one, { after }) => [statedIn(after(), one), {}]));

  it('is outdated when a state has changed since', () =>
    forEverybody(async (one, { after }) => {
      const groups = one.groups.map(
        (group): GroupState => ({ ...group, state: isOn(group) ? null : 'subscribed' }),
      );
      const emails = one.emails === 'unsubscribed' ? null : 'unsubscribed';
      return [
        [statedIn(after(), { ...one, groups }), statedIn(after(), { ...one, emails })],
        [undefined, undefined],
      ];
    }));

  it('changes only the state of the box that is used', () =>
    forEverybody(async (one, { boxes, after }) => [
      boxes.map(({ name }) => statedIn(after(name), one)),
      boxes.map(({ name, isChecked }) => ({ [name]: isChecked ? 'unsubscribed' : 'subscribed' })),
    ]));

  it('unsubscribes from all that it shows, and from nothing else, by its second button', () =>
    forEverybody(async (one, { after }) => [
      statedIn(`${after()}&${everythingField}=1`, one),
      Object.fromEntries(fieldsShownTo(one).map((name) => [name, 'unsubscribed'])),
    ]));

  it.each([...languages])('tells afterwards what is stored (%s)', (code, words) =>
    forEverybody(async (one) => {
      const hasEmails = one.emails !== 'unsubscribed';
      const headingOf = (group: GroupState): string => {
        if (!isOn(group)) return words.youDoNotGet;
        return group.channel === 'email' && !hasEmails ? words.notSentNow : words.youGet;
      };
      const shown = one.groups.filter(({ id }) => fieldsShownTo(one).includes(groupField(id)));
      return [
        listsIn(await rendered('confirmation', one, code)),
        new Map([
          [words.allEmails, hasEmails ? words.youGet : words.youDoNotGet],
          ...shown.map((group) => [group.name, headingOf(group)] as const),
        ]),
      ];
    }),
  );
});
