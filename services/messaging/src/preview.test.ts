import { openLiquid } from '@roster/liquid';
import { createPreview } from './preview.ts';
import { email, person, said, urls, useSending, ws } from './sending/testbed.ts';

const { store, rows, withSettings } = useSending();
const liquid = openLiquid();
const $ = (name: string) => `\${${name}}`;
afterAll(() => liquid.close());

const ofAda = (content: Parameters<ReturnType<typeof createPreview>>[0]['content']) =>
  createPreview({ store, liquid, urls })({ ws, person: 'p1', channel: 'email', content });

describe('a preview', () => {
  beforeEach(async () => {
    await withSettings({});
    await store.profiles.insertOne(
      person(1, { ...email('ada@example.com'), custom: [{ k: 'plan', v: '<gold>', at: 1 }] }),
    );
  });

  it('is what the person would get, and nothing is sent', async () => {
    const found = await ofAda({
      app_id: 'shop',
      from: 'Shop <news@shop.example>',
      subject: `Hi {{custom_attribute.${$('plan')}}}`,
      body: `<p>{{custom_attribute.${$('plan')}}} <a href="{{unsubscribe_url}}">Leave</a></p>`,
    });
    expect(found).toMatchObject({
      to: ['ada@example.com'],
      content: { subject: 'Hi <gold>', body: expect.stringContaining('<p>&lt;gold&gt;') },
      text: expect.stringContaining('<gold> Leave'),
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      links: [expect.stringContaining('https://preferences.example.com/preferences/')],
      unknown: [],
    });
    expect(await rows()).toEqual({});
  });

  it('says which names mean nothing', async () => {
    const found = await ofAda({
      subject: `{{${$('fist_name')}}} {% assign a = 1 %}{{ a }}{{content_blocks.${$('footr')}}}`,
      body: `{{preference_center.${$('nwes')}}}{{subscribed_state.${$('nwes')}}}{{subscribed_state.${$('email_global')}}}`,
    });
    const ofBody = ['subscribed_state.nwes', 'preference_center.nwes'];
    expect(found?.unknown).toEqual(['fist_name', 'content_blocks.footr', ...ofBody]);
  });

  it('says why the person would not get it, and shows it all the same', async () => {
    await store.profiles.updateOne({ _id: 'p1' }, { $set: said('email', 'unsubscribed') });
    expect(await ofAda({ subject: 'Hi', body: 'x' })).toMatchObject({
      skipped: 'unsubscribed',
      content: { subject: 'Hi' },
    });
  });

  it('says why it can not be written', async () => {
    expect(await ofAda({ subject: '{% abort_message("no plan") %}', body: '' })).toMatchObject({
      fault: expect.stringContaining('no plan'),
    });
  });

  it('is none for somebody who is not there', async () => {
    const preview = createPreview({ store, liquid, urls });
    expect(await preview({ ws, person: 'p9', channel: 'email', content: {} })).toBeUndefined();
  });
});
