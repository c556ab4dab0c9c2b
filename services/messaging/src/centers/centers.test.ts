/** the operations on preference centers. */
import { aProfile, storeProfiles } from '@roster/testkit';
import { aCenter, refused, useTestbed } from '../testbed.ts';

const { store, test } = useTestbed();

/** As the interface writes names. */
const $ = (name: string): string => `\${${name}}`;

const good = {
  name: 'newsletter',
  preference_center_page_html: '<form action="{{preference_center_submit_url}}"></form>',
  confirmation_page_html: '<p>Saved</p>',
};

const create = (more: object = {}, sent = {}) =>
  test.send('preference_center.create', { ...good, ...more }, sent);

const idOf = async (more: object = {}): Promise<string> =>
  String((await create(more)).body.preference_center_api_id);

const by = (id: string) => ({ params: { preferenceCenterExternalID: id } });
const { name: _, ...pages } = good;
const update = (id: string, more: object = {}, sent = {}) =>
  test.send('preference_center.update', { ...pages, ...more }, { ...by(id), ...sent });
const read = async (id: string) => (await test.send('preference_center.get', undefined, by(id))).body;

describe('a preference center', () => {
  it('is created, and read as it was created', async () => {
    const icon = { rel: 'icon', type: 'image/png', sizes: '32x32', href: 'https://example.com/i.png' };
    const viewport = { 'meta-viewport-content': 'width=600' };
    const { status, body } = await create({
      preference_center_title: 'Your news',
      options: { ...viewport, 'links-tags': [{ ...icon, more: 1 }] },
    });
    const liquid_tag = `{{preference_center.${$('newsletter')}}}`;
    expect([status, body]).toMatchObject([201, { liquid_tag, message: 'success' }]);
    expect(await read(String(body.preference_center_api_id))).toEqual({
      ...good,
      preference_center_api_id: body.preference_center_api_id,
      created_at: body.created_at,
      updated_at: body.created_at,
      preference_center_title: 'Your news',
      redirect_page_html: null,
      preference_center_options: { ...viewport, 'links-tags': [icon] },
      state: 'active',
      message: 'success',
    });
  });

  it('has a title, a state and options of its own when nothing is said of them', async () => {
    const shown = await read(await idOf({ preference_center_title: null, state: null, options: null }));
    expect(shown).toMatchObject({
      preference_center_title: 'Preference Center',
      state: 'active',
      preference_center_options: {},
    });
  });

  it('is updated; what is left out stays, the name too', async () => {
    const id = await idOf({ preference_center_title: 'A', state: 'draft' });
    const change = { confirmation_page_html: '<p>Thanks</p>', name: 'newsletter' };
    const { status, body } = await update(id, change);
    expect([status, body.preference_center_api_id, body.message]).toEqual([200, id, 'success']);
    expect(String(body.updated_at) > String(body.created_at)).toBe(true);
    expect(await read(id)).toMatchObject({ ...change, preference_center_title: 'A', state: 'draft' });
    const again = await test.send(
      'preference_center.update.post',
      { ...pages, preference_center_title: 'B', state: 'active', options: { 'allow-scripts': true } },
      by(id),
    );
    expect(again.status).toBe(201);
    expect(await read(id)).toMatchObject({
      preference_center_title: 'B',
      state: 'active',
      preference_center_options: { 'allow-scripts': true },
    });
  });

  it('is as the update says that was accepted last, whatever is applied first', async () => {
    const id = await idOf();
    const at = 1_790_000_000_000_000;
    await update(id, { preference_center_title: 'last' }, { at: at + 1000 });
    await update(id, { preference_center_title: 'first' }, { at });
    expect(await read(id)).toMatchObject({ preference_center_title: 'last' });
  });

  it('is created once, also when its job comes again, and of two of one name at once one is refused', async () => {
    const request = test.requestOf('preference_center.create', good, {});
    const [first, second] = [await test.deliver(request), await test.deliver(request)];
    expect(second).toEqual(first);
    const both = await Promise.all([create({ name: 'other' }), create({ name: 'other' })]);
    expect(both.toSorted((one, other) => one.status - other.status)).toEqual([
      { status: 201, body: expect.objectContaining({ message: 'success' }) },
      refused('Preference Center with this name already exists'),
    ]);
    expect((await create({ name: 'other' }, { ws: 'elsewhere' })).status).toBe(201);
  });

  it('is listed with its times, those of other workspaces are not', async () => {
    const [a, b] = [await idOf({ name: 'a' }), await idOf({ name: 'b' })];
    await create({ name: 'c' }, { ws: 'elsewhere' });
    await update(a);
    const { status, body } = await test.send('preference_center.list', undefined);
    const times = { created_at: expect.any(String), updated_at: expect.any(String) };
    expect([status, body.preference_centers]).toEqual([
      200,
      [
        { name: 'a', preference_center_api_id: a, ...times },
        { name: 'b', preference_center_api_id: b, ...times },
      ],
    ]);
  });

  it('of another workspace is not there', async () => {
    const id = await idOf();
    const elsewhere = { params: { preferenceCenterExternalID: id, userID: 'ada' }, ws: 'elsewhere' };
    const gone = refused('Preference Center not found', {}, 404);
    expect(await test.send('preference_center.get', undefined, elsewhere)).toEqual(gone);
    expect(await test.send('preference_center.update', pages, elsewhere)).toEqual(gone);
    expect(await test.send('preference_center.user.get', undefined, elsewhere)).toEqual(gone);
  });

  it('is one of at most 100', async () => {
    const of = (n: number) => aCenter({ _id: `c-${n}`, name: `c${n}` });
    await store.preferenceCenters.insertMany(Array.from({ length: 99 }, (_, n) => of(n)));
    expect((await create({ name: 'last' })).status).toBe(201);
    const full = 'The workspace has as many Preference Centers as it may have';
    expect(await create()).toEqual(refused(full));
  });
});

describe('a template', () => {
  it('includes blocks that are there and active', async () => {
    const tag = (name: string) => `{{content_blocks.${$(name)}}}`;
    await test.send('content_blocks.create', { name: 'footer', content: 'x' });
    await test.send('content_blocks.create', { name: 'draft', content: 'x', state: 'draft' });
    expect((await create({ confirmation_page_html: tag('footer') })).status).toBe(201);
    expect((await store.preferenceCenters.findOne({}))?.includes).toEqual(['footer']);
    for (const name of ['draft', 'nothing'])
      expect(await create({ name, preference_center_page_html: tag(name) })).toEqual(
        refused(`Preference Center HTML uses a Content Block that does not exist: ${name}`),
      );
  });

  it('holds the blocks that it includes: they are counted, named, and not deleted', async () => {
    const { body } = await test.send('content_blocks.create', { name: 'footer', content: 'x' });
    const content_block_id = String(body.content_block_id);
    const id = await idOf({ confirmation_page_html: `{{content_blocks.${$('footer')}}}` });
    const query = { content_block_id, include_inclusion_data: 'true' };
    expect((await test.send('content_blocks.info', undefined, { query })).body).toMatchObject({
      inclusion_count: 1,
      inclusion_data: [{ type: 'preference_center', id, name: 'newsletter' }],
    });
    expect(await test.send('content_blocks.delete', { content_block_id })).toEqual(
      refused('Content Block is in use by preference_center newsletter'),
    );
    await update(id);
    expect((await test.send('content_blocks.delete', { content_block_id })).status).toBe(201);
  });

  it('that is malformed is refused with its place', async () => {
    const page = `<p>\n {% form_field_name :email_global_state %} {% if x %}`;
    expect(await create({ preference_center_page_html: page })).toEqual(
      refused(
        expect.stringMatching(
          /^Preference Center HTML contains malformed liquid: preference_center_page_html, line 2, column 44: /,
        ),
      ),
    );
    const id = await idOf();
    expect(await update(id, { confirmation_page_html: '{% magic %}' })).toEqual(
      refused(expect.stringMatching(/confirmation_page_html, line 1, column 1: /)),
    );
  });
});

it('names subscription groups of the workspace only', async () => {
  const field = (group: string) => `<input name="{% form_field_name :subscription_group ${group} %}">`;
  const state = (group: string) => `{{subscribed_state.${$(group)}}}`;
  const sentence = 'Preference Center HTML names a subscription group that does not exist: ';
  const put = (...groups: string[]) => {
    const subscription_groups = groups.map((id) => ({ id, name: id, channel: 'email' }));
    return store.workspaces.put({ id: 'demo', name: 'Demo', subscription_groups });
  };
  await put('demo-news', 'sport');
  const page = `${field('demo-news')}${state('sport')}${state('email_global')}`;
  const id = await idOf({ preference_center_page_html: page });
  const misspelt = { preference_center_page_html: field('demo-nws') };
  const wanted = refused(`${sentence}demo-nws: did you mean demo-news?`);
  expect(await create({ name: 'other', ...misspelt })).toEqual(wanted);
  expect(await update(id, misspelt)).toEqual(wanted);
  expect(await update(id, { confirmation_page_html: state('weather') })).toEqual(
    refused(`${sentence}weather. The workspace has: demo-news, sport`),
  );
  await put('demo-news', 'sport', 'weather');
  expect((await update(id, { confirmation_page_html: state('weather') })).status).toBe(200);
  await store.workspaces.put({ id: 'demo', name: 'Demo' });
});

it('tells names that are no variable of a page', async () => {
  const page = `{{preference_center_submit_ur}}{{subscribed_state.${$('email_global')}}}`;
  const { status, body } = await create({
    preference_center_page_html: page,
    confirmation_page_html: `{{${$('first_name')}}}{{unsubscribe_url}}`,
  });
  const faults = [
    {
      reason:
        'preference_center_page_html: preference_center_submit_ur is not a variable of Roster: did you mean preference_center_submit_url?',
    },
    { reason: 'confirmation_page_html: first_name is not a variable of Roster' },
  ];
  expect([status, body.faults]).toEqual([201, faults]);
  const id = String(body.preference_center_api_id);
  expect((await update(id, { preference_center_page_html: page })).body.faults).toEqual(faults.slice(0, 1));
  expect((await update(id)).body).not.toHaveProperty('faults');
});

it('has a name that never changes', async () => {
  const id = await idOf();
  expect(await update(id, { name: 'other' })).toEqual(refused('Preference Center name cannot be updated'));
});

describe('is refused', () => {
  const longLink = { rel: 'icon', href: `https://e.co/${'x'.repeat(2000)}` };
  const options = (tag: object) => ({ options: { 'links-tags': [tag] } });
  const icon = { rel: 'icon', href: 'https://e.co/i.png' };
  it.each<[object, string]>([
    [{ name: undefined }, 'Preference Center name cannot be blank'],
    [{ name: 'x'.repeat(100) }, 'Preference Center name must be shorter than 100 characters'],
    [{ name: 'a b' }, 'Preference Center name can only contain letters, numbers, hyphens and underscores'],
    [{ name: 5 }, 'Preference Center name can only contain letters, numbers, hyphens and underscores'],
    [{ preference_center_title: ' ' }, 'Preference Center title must be a string of 1 to 255 characters'],
    [{ preference_center_page_html: '' }, 'Preference Center page HTML cannot be blank'],
    [{ preference_center_page_html: [] }, 'Preference Center page HTML must be a string'],
    [
      { preference_center_page_html: 'x'.repeat(102_400) },
      'Preference Center page HTML must be smaller than 100kb',
    ],
    [{ confirmation_page_html: null }, 'Preference Center confirmation page HTML cannot be blank'],
    [{ confirmation_page_html: 1 }, 'Preference Center confirmation page HTML must be a string'],
    [
      { confirmation_page_html: 'x'.repeat(102_400) },
      'Preference Center confirmation page HTML must be smaller than 100kb',
    ],
    [{ state: 'live' }, 'Preference Center state must be either active or draft'],
    [{ options: [] }, 'options must be an object'],
    [
      { options: { 'meta-viewport-content': 5 } },
      'options.meta-viewport-content must be a string of at most 255 characters',
    ],
    [{ options: { 'allow-scripts': 'yes' } }, 'options.allow-scripts must be a boolean'],
    [{ options: { 'links-tags': {} } }, 'options.links-tags must be an array'],
    [
      { options: { 'links-tags': Array(11).fill(icon) } },
      'options.links-tags must not hold more than 10 elements',
    ],
    [
      options({ ...icon, rel: 'stylesheet' }),
      'options.links-tags[0].rel must be one of icon, shortcut icon, apple-touch-icon',
    ],
    [
      options({ ...icon, type: 'text/css' }),
      expect.stringMatching(/^options\.links-tags\[0\]\.type must be one of image\/png/) as never,
    ],
    [
      options({ rel: 'icon', href: 'javascript:alert(1)' }),
      'options.links-tags[0].href must be an https address of at most 2,000 characters',
    ],
    [options(longLink), 'options.links-tags[0].href must be an https address of at most 2,000 characters'],
    [
      { preference_center_page_html: 'a\0b' },
      'preference_center_page_html must be well-formed text without NUL',
    ],
  ])('with %j', async (more, message) => {
    expect(await create(more)).toEqual(refused(message));
    expect(await store.preferenceCenters.countDocuments({})).toBe(0);
  });
});

describe('the address for a person', () => {
  const address = (center: string, userID = 'ada/b c') =>
    test.send('preference_center.user.get', undefined, {
      params: { preferenceCenterExternalID: center, userID },
    });

  beforeEach(async () => {
    await store.profiles.deleteMany({});
    await store.identities.deleteMany({});
    await storeProfiles(store, [aProfile('s-ada', 5, { external_id: 'ada/b c' })]);
  });

  it('is given for a preference center, and for the one that every workspace has', async () => {
    for (const center of [await idOf(), 'default']) {
      const { status, body } = await address(center);
      expect([status, body.message]).toEqual([200, 'success']);
      expect(body.preference_center_url).toMatch(
        /^https:\/\/preferences\.example\.com\/preferences\/[\w-]+\.[\w-]{43}$/,
      );
    }
  });

  it('is refused of a draft, of a preference center or a person that is not there', async () => {
    const draft = await idOf({ state: 'draft' });
    expect(await address(draft)).toEqual(refused('Preference Center is a draft'));
    expect(await address('x')).toEqual(refused('Preference Center not found', {}, 404));
    expect(await address('default', 'eve')).toEqual(
      refused('Nothing is known under this identifier', {}, 404),
    );
  });
});
