/** Every operation that writes, by its examples in the table of operations: its answer, outcome and effect, and the erasure of the people it names. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AcceptedRequest,
  createAnswerCheck,
  createJudge,
  type Operation,
  operations,
} from '@roster/contract';
import { createDeadLetters, type DeadLetters, openConnection, type QueueFamily } from '@roster/queue';
import type { Redis } from 'ioredis';
import { effects, type Writing } from './every-operation/effects.ts';
import { type Names, namesIn, textsIn, textsOf } from './every-operation/names.ts';
import { type Answered, type System, startSystem, workspace } from './system.ts';

jest.setTimeout(60_000);

let system: System;
let redis: Redis;
let letters: DeadLetters;

beforeAll(async () => {
  system = await startSystem({ identity: {}, subscription: true });
  redis = openConnection('patient', system.redisUrl);
  letters = createDeadLetters(redis, 2);
});
afterAll(async () => {
  await letters.close();
  redis.disconnect();
  await system.stop();
});

/** Each example is about the same people. */
beforeEach(async () => {
  const kept = new Set(['workspaces', 'keys', 'probes']);
  for (const [name, model] of Object.entries(system.store.models))
    if (!kept.has(name)) await model.deleteMany({});
});

const isWriting = ({ id }: Operation): boolean => Object.hasOwn(effects, id);

const succeeding = operations.filter(isWriting).flatMap((operation) => {
  const { id, path, success } = operation;
  return operation.examples
    .filter(({ response }) => response.status === success)
    .map((example, place) => ({ id: id as Writing, path, operation, example, place }));
});

/** Applied when it is answered. */
const send = async (path: string, body: unknown): Promise<Answered> => {
  const answer = await system.send(path, { body, headers: { prefer: 'wait=10' } });
  expect(answer.body).toMatchObject({ message: 'success' });
  return answer;
};

const wrongWith = createAnswerCheck();

it('are all operations of the queues that write', () => {
  const writing = operations.filter(({ kind, queue }) => kind === 'write' && queue !== 'scim');
  expect(Object.keys(effects).toSorted()).toEqual(writing.map(({ id }) => id).toSorted());
});

describe('the first example does what it says', () => {
  it.each(succeeding.filter(({ place }) => place === 0))('$id', async ({ id, path, operation, example }) => {
    const { before = [], outcome, seen, is } = effects[id];
    for (const [way, body] of before) await send(way, body);
    const answer = await send(path, example.request.body);
    expect(answer.status).toBe(example.response.status);
    expect(wrongWith(operation, answer.status, answer.body)).toBeUndefined();
    expect(answer.body).toMatchObject(example.response.body as object);
    expect(await system.outcomeOf(answer)).toEqual(outcome);
    expect({ seen: await seen(system) }).toMatchObject({ seen: is });
  });
});

const judge = createJudge();
const { subscription_groups: groups, apps } = workspace;
const settings = {
  maxUpdates: 50,
  blockedExternalIds: new Set<string>(),
  suspiciousExternalIds: new Set<string>(),
  groups: new Map(groups.map(({ id, channel }) => [id, channel as 'email' | 'sms'])),
  apps: new Set(apps.map(({ id }) => id)),
};

/** The request as it would stand in the queue, if it could not be applied. */
const plant = async (operation: Operation, body: unknown): Promise<string> => {
  const verdict = judge(operation, { body }, settings);
  if (!verdict.ok) throw verdict.rejection;
  const at = Date.now() * 1000;
  const id = `r${at.toString(36)}-00000000`;
  const request: AcceptedRequest = {
    id,
    ws: workspace.id,
    op: operation.id,
    at,
    body: verdict.accepted.body,
  };
  const queue = operation.queue as QueueFamily;
  await letters.add({ id, queue, code: 'X', reason: 'x', at: 'now', request });
  return id;
};

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

/** Texts of deleted people that still stand in the letter, when the sweeps have had their time. */
const leftIn = async (id: string, texts: readonly string[]): Promise<string[]> => {
  for (let tries = 0; ; tries++) {
    const kept = new Set(textsIn((await letters.get(id))?.request.body));
    const left = texts.filter((text) => kept.has(text));
    if (left.length === 0 || tries === 100) return left;
    await sleep(100);
  }
};

describe('nobody who was deleted stays in its dead letters', () => {
  /** Some are about nobody, to show what happens then. */
  const peopled = succeeding
    .map((one) => ({ ...one, names: namesIn(one.example.request.body) }))
    .filter(({ names }) => textsOf(names).some((text) => text !== ''));

  it.each(peopled)('$id: $example.title', async ({ operation, example, names }) => {
    await make(names);
    const id = await plant(operation, example.request.body);
    await remove(names);
    expect(await leftIn(id, textsOf(names))).toEqual([]);
  });

  it('is held by an example of each operation', () => {
    expect(new Set(peopled.map(({ id }) => id))).toEqual(new Set(Object.keys(effects)));
  });

  it('which would be seen', async () => {
    const [one] = succeeding;
    if (!one) throw new Error('no operation');
    const id = await plant(one.operation, one.example.request.body);
    const kept = new Set(textsIn((await letters.get(id))?.request.body));
    expect(kept.has('ada')).toBe(true);
    await letters.drop(id);
  });
});
