/** A document that is not as its schema says, from the socket to the answer: the write ends with a 500 that names members and no values. */
import { useWorkspace } from '../shared.ts';
import { waiting } from '../system.ts';

const system = useWorkspace('misfit');

const create = async (name: string): Promise<string> => {
  const body = { name, content: 'before' };
  const answer = await system.insist((caller) => caller.post('/content_blocks/create').send(body));
  return answer.body.content_block_id;
};

const update = (content_block_id: string, content: string) =>
  system.insist((caller) =>
    caller.post('/content_blocks/update').send({ content_block_id, content }).set(waiting),
  );

const storedOf = (_id: string) => system.store.content.blocks.findOne({ _id });

it('ends as an error of ours, changes nothing, and tells the operator which member', async () => {
  const [odd, good] = [await create('odd'), await create('good')];
  // As another version or a hand at the database could leave it.
  const bypass = { bypassDocumentValidation: true };
  await system.store.db
    .collection<{ _id: string }>('content_blocks')
    .updateOne({ _id: odd }, { $set: { colour: 'a secret value' } }, bypass);

  const answer = await update(odd, 'after');
  expect([answer.status, answer.headers['x-roster-error'], answer.headers['x-roster-retry']]).toEqual([
    500,
    'INTERNAL',
    'false',
  ]);
  expect(answer.text).not.toMatch(/colour|secret/);
  expect(await storedOf(odd)).toMatchObject({ content: 'before', version: 1 });

  const [letter] = await system.store.requests
    .find({ ws: system.ws, state: 'failed' })
    .project<{ reason: string }>({ reason: 1 })
    .toArray();
  expect(letter?.reason).toMatch(/colour/);
  expect(letter?.reason).not.toMatch(/secret/);

  expect((await update(good, 'after')).status).toBe(201);
});
