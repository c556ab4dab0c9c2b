/** Numbers that a double does not hold, as they come out of the queue. */
import { packExact } from '@roster/contract';
import { useTrack } from './testbed.ts';

const { apply, ...bed } = useTrack();

it('are stored exactly, added to exactly when the job comes again, and the request can go to a dead letter', async () => {
  const ada = bed.uniqueId();
  const number = 1_234_567_890_123_456_789n;
  const sent = (entry: object) => ({
    ...bed.attributes(),
    exact: true as const,
    body: JSON.parse(packExact({ attributes: [{ external_id: ada, ...entry }] })),
  });
  const first = sent({ plain: number, in: { o: [number, 'text'] }, list: [number, 7] });
  const second = sent({ plain: { inc: number }, list: { remove: [number] } });
  await apply([first]);
  await apply([first, second]);
  await apply([second]);
  expect((await bed.profileOf(ada)).custom_attributes).toEqual({
    plain: 2n * number,
    in: { o: [number, 'text'] },
    list: [7],
  });
  expect(JSON.parse(JSON.stringify(second))).toEqual(second);
});
