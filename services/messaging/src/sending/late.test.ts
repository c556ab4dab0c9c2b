/** What happens between the reading of people and their message. */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openChannels } from '@roster/channels';
import { listening, until } from '@roster/testkit';
import type { Hand } from './send-one.ts';
import { always, crowd, email, person, said, toEmail, useSending, writingAfter } from './testbed.ts';

const { store, start, ended, rows, add, addAll } = useSending();

const people = (n: number, of: string) => crowd(n, of, email(`${of}@example.com`));

const unsubscribe = (_id: string) =>
  store.profiles.updateOne({ _id }, { $set: said('email', 'unsubscribed') });

test('who unsubscribes while the texts are written does not get it', async () => {
  await store.profiles.insertMany([person(1, email('a@example.com')), person(2, email('b@example.com'))]);
  const slow = writingAfter(async () => {
    await unsubscribe('p1');
    await pause(600);
  });
  start(always({ state: 'sent' }), { liquidOf: () => slow });
  await addAll(1, { email: { ...toEmail.email, body: '{{x}}' } });
  expect(await rows()).toEqual({ p1: 'skipped: unsubscribed', p2: 'sent' });
});

describe('a server that several workspaces use', () => {
  /** Answers nothing of the workspace `slow` until it is opened. */
  const receiver = async () => {
    const held: ServerResponse[] = [];
    let isOpen = false;
    const server = createServer((request, response) => {
      if (request.url === '/slow' && !isOpen) held.push(response);
      else response.end();
    });
    return {
      held,
      url: `${await listening(server)}/`,
      open(): void {
        isOpen = true;
        for (const response of held) response.end();
      },
      close(): void {
        server.closeAllConnections();
        server.close();
      },
    };
  };

  const opened = async () => {
    const server = await receiver();
    const channels = openChannels();
    const patient = { allowPrivate: true, timeoutMs: 600_000 };
    const givenBack: string[] = [];
    const hand: Hand = async (of, _channel, { to }, { id, until: time }) => {
      const answer = await channels.send('webhook', patient, {
        id,
        to,
        content: { url: `${server.url}${of}`, request_method: 'POST', body: 'x' },
        leave: { ws: of, until: time },
      });
      if ('unbegun' in answer) givenBack.push(id);
      return answer;
    };
    closing.push(async () => {
      server.open();
      await channels.close();
      server.close();
    });
    start(hand);
    return { ...server, givenBack };
  };

  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  test('what waits in line is not being sent, and another workspace does not wait for it', async () => {
    await store.profiles.insertMany([...people(250, 'slow'), ...people(3, 'quick')]);
    const { held, givenBack, open } = await opened();
    const slow = await add(toEmail, { ws: 'slow' });
    const waiting = () => store.messages.sends.countDocuments({ ws: 'slow', state: 'waiting' });
    await until(() => held.length === 96);
    // Whoever stands in line is given back, and tried again in another turn.
    await until(async () => givenBack.length > 0 && (await waiting()) > 0);
    await addAll(1, toEmail, { ws: 'quick' });
    expect(held.length).toBe(96);
    open();
    await ended(slow._id);
    expect(await store.messages.sends.countDocuments({ state: 'sent', tries: 1 })).toBe(253);
  });

  test('who unsubscribes while a broadcast is under way does not get it, however slow the server is', async () => {
    await store.profiles.insertMany(people(120, 'slow'));
    const { held, open } = await opened();
    const one = await add(toEmail, { ws: 'slow' });
    await until(() => held.length === 96);
    const gone = await until(() => store.messages.sends.findOne({ state: 'waiting' }));
    await unsubscribe(gone.profile);
    open();
    await ended(one._id);
    expect(await store.messages.sends.countDocuments({ state: 'sent', tries: 1 })).toBe(119);
    const row = await store.messages.sends.findOne({ _id: gone._id });
    expect(row).toMatchObject({ state: 'skipped', reason: 'unsubscribed' });
  });
});
