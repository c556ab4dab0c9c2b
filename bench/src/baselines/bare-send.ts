// The yardstick of sending: everybody is read, a page at a time; a row is written for each, their name is posted, and the row is written once more.
import { Agent, request } from 'node:http';
import type mongoose from 'mongoose';
import { inHands } from '../hands.ts';
import { answerWithMongo, type Servers } from './bare-mongo.ts';

export interface SendTask extends Servers {
  url: string;
  people: number;
  /** On each page, and as many messages at once. */
  page: number;
  atOnce: number;
}

type Rows<Row extends object> = mongoose.mongo.Collection<Row>;

interface Person {
  _id: string;
  fields?: { first_name?: string };
}

interface Send {
  _id: string;
  state: string;
}

const createPost = (url: string, agent: Agent) => {
  const headers = { 'content-type': 'application/json' };
  return (body: string): Promise<void> =>
    new Promise((done, failed) => {
      const sending = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.once('end', done);
      });
      sending.once('error', failed);
      sending.end(body);
    });
};

/** The next page, in the order of their ids. */
const pageAfter = (people: Rows<Person>, after: string, limit: number): Promise<Person[]> =>
  people
    .find({ _id: { $gt: after } }, { projection: { 'fields.first_name': 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();

answerWithMongo<SendTask>(async (client, { url, people, page, atOnce }) => {
  const profiles = client.db().collection<Person>('profiles');
  const sends = client.db().collection<Send>('bench_bare_send');
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const post = createPost(url, agent);
  const run = Date.now();

  const sendTo = async (some: readonly Person[]): Promise<void> => {
    const ids = some.map(({ _id }) => `${run}-${_id}`);
    await sends.insertMany(ids.map((_id) => ({ _id, state: 'sending' })));
    await inHands(some.length, atOnce, (n) => post(JSON.stringify({ name: some[n]?.fields?.first_name })));
    await sends.updateMany({ _id: { $in: ids } }, { $set: { state: 'sent' } });
  };

  return async () => {
    let [sent, after] = [0, ''];
    while (sent < people) {
      const some = await pageAfter(profiles, after, Math.min(page, people - sent));
      await sendTo(some);
      sent += some.length;
      after = some.at(-1)?._id ?? '';
      if (some.length === 0) break;
    }
    agent.destroy();
    return sent;
  };
});
