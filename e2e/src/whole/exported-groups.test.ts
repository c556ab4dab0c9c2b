/** The subscription groups of an exported profile can be sent back as they are. */
import { useWorkspace } from '../shared.ts';

const system = useWorkspace('exported-groups');

type Group = { id: string; state: string; since: string };

const groupsOf = async (id: string) =>
  ((await system.exported(id, ['subscription_groups']))?.subscription_groups ?? []) as Group[];

it('they say the same of every person, and leave no note', async () => {
  const states = [
    { subscription_group_id: 'demo-news', subscription_state: 'subscribed' },
    { subscription_group_id: 'demo-texts', subscription_state: 'unsubscribed' },
  ];
  await system.track({ attributes: [{ external_id: 'ada', subscription_groups: states }] });
  const subscription_groups = await groupsOf('ada');
  expect(subscription_groups).toHaveLength(2);
  const answer = await system.track({ attributes: [{ external_id: 'bob', subscription_groups }] });
  expect(answer).toMatchObject({ status: 201, body: { attributes_processed: 1, state: 'applied' } });
  expect(answer.body).not.toHaveProperty('notes');
  const stated = ({ id, state }: Group) => [id, state];
  expect((await groupsOf('bob')).map(stated)).toEqual(subscription_groups.map(stated));
});
