import type { EventEntry } from '@roster/contract';
import { createApply } from './apply.ts';
import { createSettingsOf } from './settings.ts';
import { useTrack } from './testbed.ts';

const { store, ...bed } = useTrack();
beforeAll(() =>
  store.workspaces.put({
    id: 'demo',
    apps: [{ id: 'web', name: 'Web' }],
    track: { blocked_attributes: ['secret'], max_array_elements: 3 },
    currency: { reporting: 'EUR', rates: { USD: '0.9215', JPY: 0.0061 } },
  }),
);

const apply = (...requests: Parameters<ReturnType<typeof createApply>>[0]) =>
  createApply({ store, settingsOf: createSettingsOf(store) })(requests);
const revenues = async (externalId: string) =>
  (await bed.purchasesOf(externalId)).map(({ revenue }) => revenue?.toString());

describe('revenue', () => {
  it('is price times quantity in the reporting currency, exactly', async () => {
    const ada = bed.uniqueId();
    await apply(
      bed.purchases(
        { external_id: ada, currency: 'EUR', price: 0.1, quantity: 3 },
        { external_id: ada, currency: 'USD', price: 19.99, quantity: 2 },
        { external_id: ada, currency: 'JPY', price: 1e21 },
        { external_id: ada, currency: 'EUR', price: -5.5 },
      ),
    );
    expect(await revenues(ada)).toEqual(['0.3', '36.84157', '6100000000000000000', '-5.5']);
  });

  it('of a currency without a rate is left out, and the outcome says so', async () => {
    const ada = bed.uniqueId();
    const [outcome] = await apply(
      bed.purchases({ external_id: ada, currency: 'EUR' }, { external_id: ada, currency: 'GBP' }),
    );
    expect(outcome).toEqual({
      state: 'applied',
      entries: { purchases: ['created', 'updated'] },
      notes: [{ input_array: 'purchases', index: 1, field: 'currency', reason: 'no_rate' }],
    });
    expect(await revenues(ada)).toEqual(['1', undefined]);
  });
});

describe('the outcome of a stored event or purchase', () => {
  it('names an app that the workspace does not list', async () => {
    const ada = bed.uniqueId();
    const [outcome] = await apply(
      bed.events(
        { external_id: ada, app_id: 'web' },
        { external_id: ada, app_id: 'tv' },
        { external_id: ada },
      ),
    );
    expect(outcome?.notes).toEqual([
      { input_array: 'events', index: 1, field: 'app_id', reason: 'unknown_app' },
    ]);
    expect((await bed.eventsOf(ada)).map(({ app_id }) => app_id)).toEqual(['web', 'tv', undefined]);
  });

  it('names no app where none are listed', async () => {
    const [outcome] = await createApply({ store })([
      bed.events({ external_id: bed.uniqueId(), app_id: 'tv' }),
    ]);
    expect(outcome).not.toHaveProperty('notes');
  });

  it('names members that have no meaning, and contacts that identify no person', async () => {
    const ada = bed.uniqueId();
    const user_alias = { alias_label: 'crm', alias_name: ada, alias_kind: 'x' };
    const odd = { propertes: { a: 1 }, ['__proto__']: null } as Partial<EventEntry>;
    const [outcome] = await apply(
      bed.request({
        attributes: [
          { user_alias, _update_existing_only: false },
          {
            external_id: ada,
            email: 'a@b.co',
            subscription_groups: [
              {
                subscription_group_id: 'g',
                subscription_state: 'subscribed',
                use_double_opt_in_logic: true,
                since: 1,
              },
            ],
          },
        ],
        events: [
          { user_alias },
          { external_id: ada, email: 'a@b.co', phone: '+15005550006', ...odd },
          { email: 'a@b.co', phone: '+15005550006', ['x'.repeat(300)]: 1 } as Partial<EventEntry>,
          { external_id: ada, email: null, app_id: null, properties: null },
        ],
        purchases: [{ external_id: ada, currency: 'EUR', name: 'tea' } as never],
      }),
    );
    const said = outcome?.notes?.map(({ input_array, index, field, reason }) =>
      [`${input_array}[${index}]`, field, reason].join(' '),
    );
    expect(said).toEqual([
      'attributes[0] user_alias unknown_member',
      'attributes[1] subscription_groups unknown_member',
      'attributes[1] use_double_opt_in_logic unsupported',
      'events[0] user_alias.alias_kind unknown_member',
      'events[1] propertes unknown_member',
      'events[1] __proto__ unknown_member',
      'events[1] email not_used',
      'events[1] phone not_used',
      `events[2] ${'x'.repeat(255)} unknown_member`,
      'events[2] phone not_used',
      'purchases[0] name unknown_member',
    ]);
  });

  it('names attributes that are blocked, cut short or unknown', async () => {
    const ada = bed.uniqueId();
    const [outcome] = await apply(
      bed.attributes({
        external_id: ada,
        secret: 'x',
        colours: ['a', 'b', 'c', 'd'],
        country: 'Atlantis',
        first_name: 'Ada',
      }),
    );
    expect(outcome?.notes).toEqual(
      expect.arrayContaining(
        [
          { field: 'secret', reason: 'blocked_attribute' },
          { field: 'colours', reason: 'array_full' },
          { field: 'country', reason: 'unknown_country' },
        ].map((note) => ({ input_array: 'attributes', index: 0, ...note })),
      ),
    );
    expect(await bed.profileOf(ada)).toMatchObject({
      fields: { first_name: { v: 'Ada' } },
      custom_attributes: { colours: ['b', 'c', 'd'] },
    });
  });
});
