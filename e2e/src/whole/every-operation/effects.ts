/** What the first example of each operation that writes does: an operation without a line does not compile. */
import type { ListsOf, OperationId, OperationsOf } from '@roster/contract';
import type { Store } from '@roster/store';
import { aContentBlock } from '@roster/testkit';
import type { Test } from 'supertest';

/** Those that only read. */
type Reading =
  | 'content_blocks.list'
  | 'content_blocks.info'
  | 'preference_center.list'
  | 'preference_center.get'
  | 'preference_center.user.get'
  | 'messages.schedule_broadcasts'
  | 'messages.schedule.get'
  | 'messages.sends.get'
  | 'messages.live_activity.get'
  | 'content_cards.get'
  | 'cdi.integration_list'
  | 'cdi.integration_get'
  | 'cdi.integration_job_status'
  | 'cdi.integration_job_rows';

type Messaging = Exclude<OperationsOf<'messaging' | 'integrations'>, Reading>;

export type Writing =
  | OperationsOf<'track'>
  | OperationsOf<'identity'>
  | OperationsOf<'subscription'>
  | Messaging;

/** What of the system is looked at. */
interface Seen {
  caller: { get(path: string): Test };
  exported(externalId: string, fields: string[]): Promise<Record<string, unknown> | undefined>;
  store: Pick<Store, 'events' | 'purchases' | 'content' | 'messages' | 'preferenceCenters' | 'syncs'>;
}

interface Effect<Id extends OperationId = OperationId> {
  /** Requests before it, each a path and a body. */
  before?: readonly (readonly [path: string, body: object])[];
  /** What is stored before it: things with the ids that the example names. */
  given?(system: Seen): Promise<unknown>;
  /** Members of the answer that are made anew each time. */
  varies?: readonly string[];
  /** What became of its entries, list by list; with a reason after a colon. Of those that have none: nothing. */
  outcome?: { readonly [List in ListsOf<Id>]?: readonly string[] };
  /** What can be read afterwards. */
  seen(system: Seen): Promise<unknown>;
  is: unknown;
}

const attributes = (...entries: object[]) => ['/users/track', { attributes: entries }] as const;
const ada = { external_id: 'ada' };
const bob = { external_id: 'bob' };
const alias = (alias_label: string, alias_name: string) => ({ alias_label, alias_name });

const shown =
  (...asked: [id: string, ...fields: string[]][]): Effect['seen'] =>
  ({ exported }) =>
    Promise.all(asked.map(([id, ...fields]) => exported(id, fields)));

const stateIn =
  (group: string, query: string): Effect['seen'] =>
  async ({ caller }) =>
    (await caller.get(`/subscription/status/get?subscription_group_id=${group}&${query}`)).body;

const allIn =
  (of: (store: Seen['store']) => { find(all: object): { toArray(): Promise<unknown[]> } }): Effect['seen'] =>
  ({ store }) =>
    of(store).find({}).toArray();

const blocksIn = allIn(({ content }) => content.blocks);
const centersIn = allIn(({ preferenceCenters }) => preferenceCenters);
const schedulesIn = allIn(({ messages }) => messages.schedules);
const integrationsIn = allIn(({ syncs }) => syncs.integrations);

/** Rows of other workspaces stand beside them. */
const isOurs = ({ ws }: { ws: string }): boolean => ws === 'demo';

/** The block that the examples name. */
const aFooter = ({ store }: Seen) =>
  store.content.blocks.insertOne(aContentBlock({ _id: '7b1f3a54-0a3c-8c1e-8a2b-2f6f0a5c9d11' }));

const newsletter = {
  _id: '1b6a2c5e-90d1-8f3a-8c44-5f7f0d7f2b11',
  ws: 'demo',
  name: 'newsletter',
  title: 'Your newsletter',
  page: '<form></form>',
  confirmation: '<p>Saved</p>',
  state: 'active' as const,
  options: { links: [] },
  includes: [],
  created: 1_700_000_000_000_000,
  edited: 1_700_000_000_000_000,
};

/** The schedule that the examples name. */
const aSchedule = ({ store }: Seen) =>
  store.messages.schedules.insertOne({
    _id: '1b6a2c5e-90d1-8f3a-8c44-5f7f0d7f2b11',
    ws: 'demo',
    dispatch: '4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b',
    recipients: '{"external_user_ids":["ada"]}',
    size: 1,
    messages: '{"content_card":{"type":"CLASSIC","title":"Sale","description":"Today"}}',
    time: '2036-12-31T09:00:00Z',
    state: 'waiting',
    due: new Date('2036-12-31T09:00:00Z'),
    created: 1_700_000_000_000_000,
    changed: 1_700_000_000_000_000,
  });

/** The integration that the examples name. */
const anIntegration = ({ store }: Seen) =>
  store.syncs.integrations.insertOne({
    _id: '3f0a8c52-6f0d-8b1e-8d3c-7a5b9e2c4d60',
    ws: 'demo',
    name: 'Customers',
    data: 'attributes',
    contacts: '',
    warehouse: 'postgresql',
    settings: '{"connection":"warehouse","table":"customers"}',
    state: 'active',
    created: 1_700_000_000_000_000,
    changed: 1_700_000_000_000_000,
  });

const activityToken = '80a1c3d5e7f90b2d4f6a8c0e1b3d5f7a9c0e2b4d6f8a0c1e3b5d7f9a0b2c4d6e';

const activitiesIn = allIn(({ messages }) => messages.activities);

/** By PUT and by POST. */
const otherPages = {
  given: ({ store }: Seen) => store.preferenceCenters.insertOne({ ...newsletter }),
  varies: ['created_at', 'updated_at'],
  seen: centersIn,
  is: [{ title: 'Your newsletter', confirmation: '<p>Thank you, it is saved.</p>' }],
};

export const effects: { readonly [Id in Writing]: Effect<Id> } = {
  'users.track': {
    outcome: { attributes: ['created'], events: ['updated'], purchases: ['updated'] },
    async seen({ exported, store }) {
      const event = (await store.events.find()).find(isOurs);
      const purchase = (await store.purchases.find()).find(isOurs);
      return [
        await exported('ada', ['first_name', 'custom_attributes']),
        [event?.name, purchase?.product_id],
        event?.profile === purchase?.profile,
      ];
    },
    is: [
      { first_name: 'Ada', custom_attributes: { favourite_color: 'green', visits: 1 } },
      ['signed_in', 'tea'],
      true,
    ],
  },
  'users.track.bulk': {
    outcome: { attributes: ['created', 'created'] },
    seen: shown(['ada', 'first_name'], ['bob', 'first_name']),
    is: [{ first_name: 'Ada' }, { first_name: 'Bob' }],
  },
  'users.track.sync': {
    before: [attributes({ ...ada, favourite_color: 'green', visits: 7 })],
    outcome: { attributes: ['updated'] },
    seen: shown(['ada', 'custom_attributes']),
    is: [{ custom_attributes: { visits: 8 } }],
  },
  'users.alias.new': {
    before: [attributes(ada)],
    outcome: { user_aliases: ['updated', 'created'] },
    seen: shown(['ada', 'user_aliases']),
    is: [{ user_aliases: [alias('crm', 'a-17')] }],
  },
  'users.alias.update': {
    before: [attributes(ada), ['/users/alias/new', { user_aliases: [{ ...ada, ...alias('crm', 'a-17') }] }]],
    outcome: { alias_updates: ['updated'] },
    seen: shown(['ada', 'user_aliases']),
    is: [{ user_aliases: [alias('crm', 'a-18')] }],
  },
  'users.identify': {
    before: [
      attributes(
        { user_alias: alias('web', 'visitor-4'), _update_existing_only: false, colour: 'red' },
        { email: 'bob@example.com', colour: 'blue' },
      ),
    ],
    outcome: { aliases_to_identify: ['updated'], emails_to_identify: ['updated'] },
    seen: shown(['ada', 'user_aliases', 'custom_attributes'], ['bob', 'email', 'custom_attributes']),
    is: [
      { user_aliases: [alias('web', 'visitor-4')], custom_attributes: { colour: 'red' } },
      { email: 'bob@example.com', custom_attributes: { colour: 'blue' } },
    ],
  },
  'users.merge': {
    before: [attributes({ external_id: 'ada-old', colour: 'red' }, ada, { email: 'bob@example.com' }, bob)],
    outcome: { merge_updates: ['updated', 'updated'] },
    seen: shown(['ada-old', 'custom_attributes'], ['ada', 'custom_attributes'], ['bob', 'email']),
    is: [undefined, { custom_attributes: { colour: 'red' } }, { email: 'bob@example.com' }],
  },
  'users.delete': {
    before: [attributes(ada, bob)],
    outcome: { external_ids: ['updated', 'updated'] },
    seen: shown(['ada', 'external_id'], ['bob', 'external_id']),
    is: [undefined, undefined],
  },
  'users.external_ids.rename': {
    before: [attributes(ada, bob)],
    outcome: { external_id_renames: ['updated', 'ignored:id_taken'] },
    seen: shown(['ada.lovelace', 'external_id'], ['bob', 'external_id']),
    is: [{ external_id: 'ada.lovelace' }, bob],
  },
  'users.external_ids.remove': {
    before: [
      attributes(ada),
      [
        '/users/external_ids/rename',
        { external_id_renames: [{ current_external_id: 'ada', new_external_id: 'ada.lovelace' }] },
      ],
    ],
    outcome: { external_ids: ['updated'] },
    seen: shown(['ada', 'external_id'], ['ada.lovelace', 'external_id']),
    is: [undefined, { external_id: 'ada.lovelace' }],
  },
  'subscription.status.set': {
    before: [attributes(ada, bob)],
    outcome: { external_ids: ['updated', 'updated'] },
    seen: stateIn('demo-news', 'external_id=bob'),
    is: { status: { bob: 'Unsubscribed' } },
  },
  'subscription.status.set.v2': {
    before: [attributes(ada, { ...bob, email: 'bob@example.com' })],
    outcome: { external_ids: ['updated'], emails: ['updated'] },
    seen: stateIn('demo-news', 'email=bob@example.com'),
    is: { status: { 'bob@example.com': 'Subscribed' } },
  },
  'content_blocks.create': {
    varies: ['content_block_id', 'created_at'],
    seen: blocksIn,
    is: [{ name: 'footer', state: 'active', tags: [] }],
  },
  'content_blocks.update': {
    given: aFooter,
    varies: ['created_at'],
    seen: blocksIn,
    is: [{ name: 'footer', content: '<p>Example Ltd, 2 Example Square</p>', version: 2 }],
  },
  'content_blocks.delete': { given: aFooter, seen: blocksIn, is: [] },
  'preference_center.create': {
    varies: ['preference_center_api_id', 'created_at'],
    seen: centersIn,
    is: [{ name: 'newsletter', title: 'Your newsletter', state: 'active', includes: [] }],
  },
  'messages.send': {
    varies: ['dispatch_id'],
    seen: schedulesIn,
    is: [{ recipients: '{"external_user_ids":["ada"]}' }],
  },
  'messages.schedule.create': {
    varies: ['dispatch_id', 'schedule_id'],
    seen: schedulesIn,
    is: [{ state: 'waiting', time: '2036-12-31T09:00:00Z', due: new Date('2036-12-31T09:00:00Z') }],
  },
  'messages.schedule.update': {
    given: aSchedule,
    seen: schedulesIn,
    is: [{ state: 'waiting', time: '2036-12-31T10:00:00Z', due: new Date('2036-12-31T10:00:00Z') }],
  },
  'messages.schedule.delete': { given: aSchedule, seen: schedulesIn, is: [{ state: 'cancelled' }] },
  'cdi.integration_create': {
    varies: ['integration_id'],
    seen: integrationsIn,
    is: [{ name: 'Customers of the shop', state: 'draft', schedule: '*/15 * * * *' }],
  },
  'cdi.integration_update': {
    given: anIntegration,
    seen: integrationsIn,
    is: [{ name: 'Customers', paused: true }],
  },
  'cdi.integration_delete': { given: anIntegration, seen: integrationsIn, is: [] },
  'cdi.integration_sync': {
    given: anIntegration,
    seen: allIn(({ syncs }) => syncs.jobs),
    is: [{ integration: '3f0a8c52-6f0d-8b1e-8d3c-7a5b9e2c4d60' }],
  },
  'messages.live_activity.register': {
    seen: activitiesIn,
    is: [{ app: 'demo-app', devices: [{ token: activityToken }] }],
  },
  'messages.live_activity.start': {
    varies: ['dispatch_id'],
    seen: schedulesIn,
    is: [{ recipients: '{"external_user_ids":["ada"]}' }],
  },
  'messages.live_activity.update': {
    given: ({ store }) =>
      store.messages.activities.insertOne({
        _id: 'demo/8:demo-app/match-17',
        ws: 'demo',
        app: 'demo-app',
        devices: [],
        expires: new Date('2036-12-31T10:00:00Z'),
      }),
    varies: ['devices'],
    async seen(seen) {
      const all = (await activitiesIn(seen)) as { update?: { content: string } }[];
      return all.map(({ update }) => JSON.parse(update?.content ?? '{}').content_state);
    },
    is: [{ score: '1:0', minute: 17 }],
  },
  'preference_center.update': otherPages,
  'preference_center.update.post': otherPages,
};
