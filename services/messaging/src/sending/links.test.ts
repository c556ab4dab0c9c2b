/** The links of a person in a message lead to their own page. */
import { defaultCenterId } from '@roster/contract';
import { aContentBlock } from '@roster/testkit';
import { aCenter } from '../testbed.ts';
import type { Hand } from './send-one.ts';
import { email, links, person, schedule, toEmail, toWebhook, useSending, ws } from './testbed.ts';

const { store, rows, run } = useSending();

const $ = (name: string): string => `\${${name}}`;

const center = { _id: 'id of news', name: 'news' };

beforeEach(async () => {
  await store.content.blocks.deleteMany({});
  await store.preferenceCenters.deleteMany({});
  await store.profiles.insertMany([person(1, email('one@example.com')), person(2, email('two@example.com'))]);
});

const mail = (body: string) => ({ email: { ...toEmail.email, body } });

/** Where the links in what each person got lead to. */
const linksIn = async (messages: object) => {
  const got = new Map<string, unknown[]>();
  const hand: Hand = async (_ws, _channel, _to, { person: to, content }) => {
    const urls = String(content.body).match(/https:[^"\s]+/g) ?? [];
    const read = urls.map((url) =>
      links.read(url.slice('https://preferences.example.com/preferences/'.length)),
    );
    got.set(
      to,
      read.map((one) => (one.is === 'good' ? one.link : one.is)),
    );
    return { state: 'sent' };
  };
  await run(hand, schedule(messages));
  expect(await rows()).toEqual({ p1: 'sent', p2: 'sent' });
  return got;
};

const pageOf = (to: string, id: string) => ({
  kind: 'page',
  ws,
  center: id,
  person: to,
  expires: expect.any(Number),
});

const toBoth = (ids: readonly string[]) =>
  new Map(['p1', 'p2'].map((to) => [to, ids.map((id) => pageOf(to, id))]));

const news = `{{preference_center.${$('news')}}}`;

it.each([
  ['a preference center of the workspace', news, ['id of news']],
  ['the default one', `{{preference_center.${$('default')}}}`, [defaultCenterId]],
  [
    'the variables of other services',
    `{{${$('set_user_to_unsubscribed_url')}}} {{unsubscribe_url}}`,
    [defaultCenterId, defaultCenterId],
  ],
  ['a block that has the link', `{{content_blocks.${$('footer')}}}`, ['id of news']],
])('%s: each person gets a link of their own', async (_what, text, ids) => {
  await store.preferenceCenters.insertOne(aCenter(center));
  await store.content.blocks.insertOne(aContentBlock({ content: `<a href="${news}">no more</a>` }));
  expect(await linksIn(mail(`<a href="${text.replace(' ', '"> <a href="')}">`))).toEqual(toBoth(ids));
});

it('so does a webhook', async () => {
  await store.preferenceCenters.insertOne(aCenter(center));
  expect(await linksIn(toWebhook(news))).toEqual(toBoth(['id of news']));
});

it.each(['draft', 'gone'])(
  'a preference center that is %s since: the link leads to the default one',
  async (what) => {
    if (what === 'draft') await store.preferenceCenters.insertOne(aCenter({ ...center, state: 'draft' }));
    expect(await linksIn(mail(news))).toEqual(toBoth([defaultCenterId]));
  },
);
