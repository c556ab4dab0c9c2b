/** Every operation that writes, by its examples in the table of operations: its answer, outcome and effect, and the erasure of the people it names. */
import { type Operation, operations } from '@roster/contract';
import { createAnswerCheck } from '@roster/judge';
import type { Response } from 'supertest';
import { useWorkspace } from '../shared.ts';
import { waiting, workspace } from '../system.ts';
import { effects, type Writing } from './every-operation/effects.ts';
import { type Letters, openLetters } from './every-operation/letters.ts';
import { type Names, namesIn, oneByOne } from './every-operation/names.ts';

const system = useWorkspace(workspace.id);
let letters: Letters;

beforeAll(() => {
  letters = openLetters(system);
});
afterAll(() => letters.close());

/** Each example is about the same people. */
beforeEach(async () => {
  // Services remember which generations there are.
  const kept = new Set(['workspaces', 'keys', 'probes', 'generations']);
  for (const collection of await system.store.db.collections())
    if (!kept.has(collection.collectionName)) await collection.deleteMany({});
});

const isWriting = ({ id }: Operation): boolean => Object.hasOwn(effects, id);

const succeeding = operations.filter(isWriting).flatMap((operation) => {
  const { id, path, success } = operation;
  return operation.examples
    .filter(({ response }) => response.status === success)
    .map((example, place) => ({ id: id as Writing, path, operation, example, place }));
});

/** Applied when it is answered. */
const send = async (path: string, body: object | undefined, method = 'POST'): Promise<Response> => {
  const name = method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete';
  const answer = await system.insist((caller) => caller[name](path).send(body).set(waiting));
  expect(answer.body).toMatchObject({ message: 'success' });
  return answer;
};

const withParams = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

const wrongWith = createAnswerCheck();

it('are all operations of the queues that write', () => {
  const writing = operations.filter(({ kind, queue }) => kind === 'write' && queue !== 'scim');
  expect(Object.keys(effects).toSorted()).toEqual(writing.map(({ id }) => id).toSorted());
});

describe('the first example does what it says', () => {
  it.each(succeeding.filter(({ place }) => place === 0))('$id', async ({ id, path, operation, example }) => {
    const { before = [], given, varies = [], outcome = {}, seen, is } = effects[id];
    await given?.(system);
    for (const [way, body] of before) await send(way, body);
    const { params, body } = example.request;
    const answer = await send(withParams(path, params), body as object | undefined, operation.method);
    expect(answer.status).toBe(example.response.status);
    expect(wrongWith(operation, answer.status, answer.body)).toBeUndefined();
    const told = Object.entries(example.response.body as object).filter(([name]) => !varies.includes(name));
    expect(answer.body).toMatchObject(Object.fromEntries(told));
    expect(await system.outcomeOf(answer)).toEqual(outcome);
    expect({ seen: await seen(system) }).toMatchObject({ seen: is });
  });
});

const make = async ({ external_ids, user_aliases, emails, phones }: Names): Promise<void> => {
  const people = [
    ...external_ids.map((external_id) => ({ external_id })),
    ...user_aliases.map((user_alias) => ({ user_alias, _update_existing_only: false })),
    ...emails.map((email) => ({ email })),
    ...phones.map((phone) => ({ phone })),
  ];
  await send('/users/track', { attributes: people.map((entry) => ({ ...entry, made: true })) });
};

const prioritization = ['most_recently_updated'];

const remove = async ({ external_ids, user_aliases, emails, phones }: Names): Promise<void> => {
  const bodies = [
    { external_ids },
    { user_aliases },
    { email_addresses: emails.map((email) => ({ email, prioritization })) },
    { phone_numbers: phones.map((phone) => ({ phone, prioritization })) },
  ];
  for (const body of bodies) if (Object.values(body)[0]?.length) await send('/users/delete', body);
};

describe('nobody who was deleted stays in its dead letters', () => {
  /** Of requests in this queue none are kept: they are answered, and that is all. */
  const isLettered = ({ operation }: { operation: Operation }): boolean =>
    operation.queue !== 'messaging' && operation.queue !== 'integrations';

  /** Some are about nobody, to show what happens then. */
  const peopled = succeeding
    .filter(isLettered)
    .map((one) => ({ ...one, people: [...oneByOne(namesIn(one.example.request.body))] }))
    .map((one) => ({ ...one, people: one.people.filter(([text]) => text !== '') }))
    .filter(({ people }) => people.length > 0);

  it.each(peopled)('$id: $example.title', async ({ operation, example, people }) => {
    await make(namesIn(example.request.body));
    const left: string[] = [];
    for (const [text, alone] of people) {
      const id = await letters.plant(operation, example.request.body);
      await remove(alone);
      if (await letters.stillHolds(id, text)) left.push(text);
      await letters.drop(id);
    }
    expect(left).toEqual([]);
  });

  it('is held by an example of each operation with dead letters', () => {
    const lettered = succeeding.filter(({ operation }) => operation.people).map(({ id }) => id);
    expect(new Set(peopled.map(({ id }) => id))).toEqual(new Set(lettered));
  });

  it('which would be seen', async () => {
    const [one] = succeeding;
    if (!one) throw new Error('no operation');
    const id = await letters.plant(one.operation, one.example.request.body);
    expect(await letters.holds(id, 'ada')).toBe(true);
    await letters.drop(id);
  });
});
