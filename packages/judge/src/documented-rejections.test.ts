/** Every way in which a request can fail as a whole, as its row tells: what the judge sees has a request here. */
import { type OperationId, operations, type RejectionCode, rejectionsOf } from '@roster/contract';
import { createJudge, type JudgeInput } from './judge.ts';
import { aJudgeSettings } from './test-settings.ts';

const judge = createJudge();
const settings = aJudgeSettings({
  groups: new Map([
    ['news', 'email'],
    ['texts', 'sms'],
  ]),
});

type Cases = { [Code in RejectionCode]?: JudgeInput };

const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const of = (body: unknown): JudgeInput => ({ body });
const event = { external_id: 'x', name: 'seen', time: '2025-01-01' };
const alias = { alias_name: 'a', alias_label: 'l' };
const one = (id: string) => ({ external_id: id });

/** What every body of a kind can be refused for. */
const list = (array: string, entry: unknown): Cases => ({
  BODY_INVALID: of({ [array]: {} }),
  TOO_MANY_ENTRIES: of({ [array]: many(51, entry) }),
});

const track: Cases = {
  ...list('events', event),
  NO_VALID_DATA: of({ events: [{}] }),
};

const group = { subscription_group_id: 'news', subscription_state: 'subscribed' };

/** In both shapes; `put` makes a body of one group. */
const subscription = (
  ids: string,
  emails: string,
  phones: string,
  put: (group: object) => unknown,
): Cases => ({
  BODY_INVALID: of(put({ ...group, subscription_state: 'x', [ids]: 'a' })),
  SUBSCRIPTION_GROUP_UNKNOWN: of(put({ ...group, subscription_group_id: 'x', [ids]: 'a' })),
  EXTERNAL_IDS_INVALID: of(put({ ...group, [ids]: [' '] })),
  EMAIL_AND_PHONE: of(put({ ...group, [emails]: 'a@b.co', [phones]: '+15005550006' })),
  NOBODY_NAMED: of(put(group)),
  TOO_MANY_NAMES: of(put({ ...group, [ids]: many(51, 'a') })),
  CHANNEL_MISMATCH: of(put({ ...group, subscription_group_id: 'texts', [emails]: 'a@b.co' })),
  EMAIL_INVALID: of(put({ ...group, [emails]: 'x' })),
  PHONE_NOT_E164: of(put({ ...group, subscription_group_id: 'texts', [phones]: '12' })),
});

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

const pair = { identifier_to_merge: one('a'), identifier_to_keep: one('b') };

const block = { name: 'footer', content: 'x' };

/** What both `create` and `update` refuse. */
const blockCases = (good: object): Cases => ({
  BODY_INVALID: of({ ...good, name: 5 }),
  CONTENT_BLANK: of({ ...good, content: ' ' }),
  CONTENT_NOT_A_STRING: of({ ...good, content: 5 }),
  CONTENT_TOO_LARGE: of({ ...good, content: 'x'.repeat(51_200) }),
  CONTENT_BLOCK_DESCRIPTION_BLANK: of({ ...good, description: '' }),
  CONTENT_BLOCK_DESCRIPTION_NOT_A_STRING: of({ ...good, description: 5 }),
  CONTENT_BLOCK_DESCRIPTION_TOO_LONG: of({ ...good, description: 'x'.repeat(250) }),
  CONTENT_BLOCK_NAME_BLANK: of({ ...good, name: '' }),
  CONTENT_BLOCK_NAME_TOO_LONG: of({ ...good, name: 'x'.repeat(100) }),
  CONTENT_BLOCK_NAME_INVALID: of({ ...good, name: 'a b' }),
  CONTENT_BLOCK_STATE_INVALID: of({ ...good, state: 'x' }),
  TAGS_NOT_AN_ARRAY: of({ ...good, tags: 'footer' }),
  TAGS_NOT_STRINGS: of({ ...good, tags: [5] }),
  TAGS_UNKNOWN: of({ ...good, tags: ['x'] }),
});

const center = {
  name: 'newsletter',
  preference_center_page_html: '<form></form>',
  confirmation_page_html: '<p></p>',
};

/** What creating and updating refuse. */
const centerCases = (): Cases => {
  const changed = (change: object): JudgeInput => of({ ...center, ...change });
  return {
    BODY_INVALID: changed({ preference_center_title: 'a\0b' }),
    PREFERENCE_CENTER_PAGE_BLANK: changed({ preference_center_page_html: ' ' }),
    PREFERENCE_CENTER_PAGE_NOT_A_STRING: changed({ preference_center_page_html: 5 }),
    PREFERENCE_CENTER_PAGE_TOO_LARGE: changed({ preference_center_page_html: 'x'.repeat(102_400) }),
    PREFERENCE_CENTER_CONFIRMATION_BLANK: changed({ confirmation_page_html: undefined }),
    PREFERENCE_CENTER_CONFIRMATION_NOT_A_STRING: changed({ confirmation_page_html: {} }),
    PREFERENCE_CENTER_CONFIRMATION_TOO_LARGE: changed({ confirmation_page_html: 'é'.repeat(51_200) }),
    PREFERENCE_CENTER_TITLE_INVALID: changed({ preference_center_title: 'x'.repeat(256) }),
    PREFERENCE_CENTER_STATE_INVALID: changed({ state: 'x' }),
    PREFERENCE_CENTER_OPTIONS_INVALID: changed({ options: { 'links-tags': [{ rel: 'stylesheet' }] } }),
  };
};

const centerNames: Cases = {
  PREFERENCE_CENTER_NAME_BLANK: of({ ...center, name: '' }),
  PREFERENCE_CENTER_NAME_TOO_LONG: of({ ...center, name: 'x'.repeat(100) }),
  PREFERENCE_CENTER_NAME_INVALID: of({ ...center, name: 'a b' }),
};

const schedule = {
  external_user_ids: ['a'],
  schedule: { time: '2036-01-01T00:00:00Z' },
  messages: { webhook: { url: 'https://example.com/', request_method: 'POST' } },
};

/** What both `create` and `update` refuse. */
const integration = { integration_name: 'x', connection: 'warehouse', table: 't', data: 'attributes' };

const activity = { app_id: 'shop', activity_id: 'match' };
const activityStart = {
  ...activity,
  activity_attributes_type: 'Match',
  activity_attributes: {},
  content_state: {},
  external_user_ids: ['ada'],
};

const messageCases = (good: object): Cases => ({
  BODY_INVALID: of({ ...good, messages: 5 }),
  NO_MESSAGE: of({ ...good, messages: {} }),
  MESSAGES_INVALID: of({ ...good, messages: { kindle_push: { alert: 'x', title: 'x' } } }),
  MESSAGES_TOO_LARGE: of({
    ...good,
    messages: { webhook: { ...schedule.messages.webhook, body: 'x'.repeat(262_144) } },
  }),
});

/** What both `create` and `update` refuse. */
const scheduleCases = (good: object): Cases => ({
  ...messageCases(good),
  SCHEDULE_TIME_INVALID: of({ ...good, schedule: { time: 'tomorrow' } }),
});

const { schedule: _, ...sending } = schedule;

const tables: { [Id in OperationId]?: Cases } = {
  'users.track': track,
  'users.track.bulk': {
    ...track,
    TOO_MANY_ENTRIES: of({ events: many(1001, event) }),
    TOO_MANY_ENTRIES_OF_ONE_USER: of({ events: many(101, event) }),
  },
  'users.track.sync': {
    BODY_INVALID: of({ events: {} }),
    NO_VALID_DATA: of({ events: [{}] }),
    NOT_ONE_ENTRY: of({ events: [event, event] }),
  },
  'users.alias.new': list('user_aliases', alias),
  'users.alias.update': list('alias_updates', {}),
  'users.identify': {
    ...list('aliases_to_identify', {}),
    NOTHING_TO_IDENTIFY: of({}),
  },
  'users.merge': {
    MERGE_UPDATES_NOT_AN_ARRAY: of({}),
    TOO_MANY_MERGE_UPDATES: of({ merge_updates: many(51, pair) }),
    MERGE_UPDATE_NOT_A_PAIR: of({ merge_updates: [{ ...pair, more: 1 }] }),
    MERGE_IDENTIFIERS_INVALID: of({ merge_updates: [{ ...pair, identifier_to_keep: {} }] }),
    BODY_INVALID: of({ merge_updates: [{ ...pair, identifier_to_keep: { email: 'a@b.co' } }] }),
  },
  'users.delete': {
    BODY_INVALID: of({ external_ids: 'a' }),
    TOO_MANY_IDS_TO_DELETE: of({ external_ids: many(51, 'a') }),
    DELETE_KINDS_CONFLICT: of({ external_ids: ['a'], service_ids: ['b'] }),
    NOTHING_TO_DELETE: of({}),
  },
  'users.external_ids.rename': {
    ...list('external_id_renames', {}),
    LIST_EMPTY: of({ external_id_renames: [] }),
  },
  'users.external_ids.remove': { ...list('external_ids', 'a'), LIST_EMPTY: of({ external_ids: [] }) },
  'users.export.ids': {
    BODY_INVALID: of({ external_ids: ['a'] }),
    TOO_MANY_IDENTIFIERS: of({ external_ids: many(51, 'a'), fields_to_export: [] }),
    IDENTIFIERS_CONFLICT: of({ phone: '1', device_id: 'd', fields_to_export: [] }),
    NOBODY_NAMED: of({ fields_to_export: [] }),
    FIELD_NOT_EXPORTABLE: of({ external_ids: ['a'], fields_to_export: ['x'] }),
  },
  'subscription.status.set': subscription('external_id', 'email', 'phone', (one) => one),
  'subscription.status.set.v2': {
    ...subscription('external_ids', 'emails', 'phones', (one) => ({ subscription_groups: [one] })),
    TOO_MANY_SUBSCRIPTION_GROUPS: of({ subscription_groups: many(51, group) }),
  },
  'subscription.status.get': { PARAMETER_INVALID: { query: {} } },
  'subscription.user.status': { PARAMETER_INVALID: { query: { limit: 0 } } },
  'subscription.history': { PARAMETER_INVALID: { query: { limit: 0 } } },
  'content_blocks.create': blockCases(block),
  'content_blocks.update': {
    ...blockCases({ ...block, content_block_id: 'x' }),
    CONTENT_BLOCK_ID_BLANK: of({ content: 'x' }),
  },
  'content_blocks.delete': {
    BODY_INVALID: of({ content_block_id: 'x', force: 'yes' }),
    CONTENT_BLOCK_ID_BLANK: of({}),
  },
  'content_blocks.list': { PARAMETER_INVALID: { query: { limit: 'x'.repeat(256) } } },
  'content_blocks.info': { PARAMETER_INVALID: { query: { version: 'x'.repeat(256) } } },
  'preference_center.create': { ...centerCases(), ...centerNames },
  'preference_center.update': centerCases(),
  'preference_center.update.post': centerCases(),
  'messages.send': {
    ...messageCases(sending),
    NO_RECIPIENTS: of({ ...sending, external_user_ids: [] }),
    SCHEDULE_RECIPIENTS_INVALID: of({ ...sending, broadcast: true }),
  },
  'messages.schedule.create': {
    ...scheduleCases(schedule),
    NO_RECIPIENTS: of({ ...schedule, external_user_ids: [] }),
    SCHEDULE_RECIPIENTS_INVALID: of({ ...schedule, broadcast: true }),
  },
  'messages.schedule.update': scheduleCases({ schedule_id: 'x', messages: schedule.messages }),
  'messages.schedule.delete': { BODY_INVALID: of({}) },
  'messages.schedule_broadcasts': { PARAMETER_INVALID: { query: { end_time: 'x'.repeat(256) } } },
  'messages.sends.get': { PARAMETER_INVALID: { query: { state: 'x' } } },
  'messages.live_activity.register': {
    BODY_INVALID: of({ ...activity, push_token: 'x' }),
    ACTIVITY_INVALID: of(activity),
  },
  'messages.live_activity.update': {
    BODY_INVALID: of(activity),
    ACTIVITY_INVALID: of({ ...activity, content_state: {}, stale_date: 'soon' }),
  },
  'messages.live_activity.start': {
    BODY_INVALID: of(activity),
    ACTIVITY_INVALID: of({ ...activityStart, notification: { alert: { title: 'Only a title' } } }),
  },
  'messages.live_activity.get': { PARAMETER_INVALID: { query: {} } },
  'cdi.integration_list': { PARAMETER_INVALID: { query: { cursor: 'x'.repeat(256) } } },
  'cdi.integration_create': {
    BODY_INVALID: of({ ...integration, data: 'weather' }),
    INTEGRATION_INVALID: of({ ...integration, payload: 'p', columns: { plan: 'plan' } }),
  },
  'cdi.integration_update': {
    BODY_INVALID: of({ paused: 'yes' }),
    INTEGRATION_INVALID: of({}),
  },
};

/** Seen before the judge or after it; services have their own tables of these. */
const elsewhere: ReadonlySet<string> = new Set<RejectionCode>([
  'BODY_NOT_JSON',
  'BODY_TOO_COMPLEX',
  'BODY_TOO_SLOW',
  'BODY_TOO_LARGE',
  'SHARE_IN_FLIGHT',
  'CONTENT_TYPE_UNSUPPORTED',
  'HEADER_INVALID',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEYS_FULL',
  'API_KEY_INVALID',
  'ACCESS_DENIED',
  'SCIM_TOKEN_INVALID',
  'METHOD_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'RATE_LIMITED',
  'REQUEST_TOO_COSTLY',
  'WORK_LIMITED',
  'INTERNAL',
  'OVERLOADED',
  'UNAVAILABLE',
]);

const byLiquid: readonly RejectionCode[] = [
  'CONTENT_MALFORMED',
  'CONTENT_BLOCK_IN_ITSELF',
  'CONTENT_BLOCK_INCLUDED_UNKNOWN',
  'CONTENT_BLOCK_INCLUDES_TOO_MANY',
  'CONTENT_BLOCK_CENTER_UNKNOWN',
];

/** What only the worker can know, or says because a query has to be read first. */
const centerUpdatesByWorker: readonly RejectionCode[] = [
  'PREFERENCE_CENTER_UNKNOWN',
  'PREFERENCE_CENTER_NAME_FIXED',
  'PREFERENCE_CENTER_LIQUID_INVALID',
  'PREFERENCE_CENTER_BLOCK_UNKNOWN',
  'PREFERENCE_CENTER_GROUP_UNKNOWN',
];

/** What the worker alone can refuse of messages to people. */
const sentByWorker = [
  'MESSAGE_LIQUID_INVALID',
  'MESSAGE_BLOCK_UNKNOWN',
  'MESSAGE_CENTER_UNKNOWN',
  'AUDIENCE_INVALID',
  'SEGMENT_UNKNOWN',
  'SCHEDULES_FULL',
] as const;

const byWorker: { [Id in OperationId]?: readonly RejectionCode[] } = {
  'users.export.ids': ['EXPORT_TOO_LARGE'],
  'subscription.status.get': [
    'SUBSCRIPTION_GROUP_UNKNOWN',
    'EMAIL_AND_PHONE',
    'NOBODY_NAMED',
    'PHONE_NOT_E164',
  ],
  'subscription.user.status': ['EMAIL_AND_PHONE', 'NOBODY_NAMED', 'PHONE_NOT_E164'],
  'subscription.history': ['PERSON_UNKNOWN', 'NOT_ONE_IDENTIFIER', 'CURSOR_INVALID', 'PHONE_NOT_E164'],
  'requests.read': ['REQUEST_NOT_FOUND'],
  'content_blocks.create': [
    'CONTENT_BLOCK_NAME_TAKEN',
    ...byLiquid,
    'CONTENT_BLOCKS_FULL',
    'CONTENT_BLOCK_IN_USE',
  ],
  'content_blocks.update': [
    'CONTENT_BLOCK_UNKNOWN',
    'CONTENT_BLOCK_NAME_TAKEN',
    'CONTENT_BLOCK_NAME_FIXED',
    'CONTENT_BLOCK_IN_USE',
    ...byLiquid,
    'CONTENT_BLOCK_ACTIVE',
    'CONTENT_VERSIONS_FULL',
    'CONTENT_BLOCK_OVERTAKEN',
  ],
  'content_blocks.delete': ['CONTENT_BLOCK_UNKNOWN', 'CONTENT_BLOCK_IN_USE', 'CONTENT_BLOCK_OVERTAKEN'],
  'content_blocks.list': [
    'MODIFIED_AFTER_INVALID',
    'MODIFIED_BEFORE_INVALID',
    'MODIFIED_ORDER_INVALID',
    'CONTENT_BLOCK_LIMIT_INVALID',
    'CONTENT_BLOCK_LIMIT_TOO_LOW',
    'CONTENT_BLOCK_LIMIT_TOO_HIGH',
    'OFFSET_INVALID',
    'OFFSET_TOO_LOW',
  ],
  'content_blocks.info': [
    'CONTENT_BLOCK_ID_BLANK',
    'CONTENT_BLOCK_UNKNOWN',
    'CONTENT_BLOCK_DELETED',
    'CONTENT_VERSION_UNKNOWN',
    'INCLUSION_DATA_INVALID',
  ],
  'preference_center.create': [
    'PREFERENCE_CENTER_NAME_TAKEN',
    'PREFERENCE_CENTERS_FULL',
    'PREFERENCE_CENTER_LIQUID_INVALID',
    'PREFERENCE_CENTER_BLOCK_UNKNOWN',
    'PREFERENCE_CENTER_GROUP_UNKNOWN',
  ],
  'preference_center.update': centerUpdatesByWorker,
  'preference_center.update.post': centerUpdatesByWorker,
  'messages.send': [...sentByWorker, 'MESSAGE_VARIANT_UNSPECIFIED'],
  'messages.schedule.create': [...sentByWorker, 'MESSAGE_VARIANT_UNSPECIFIED'],
  'messages.schedule.update': [
    'MESSAGE_VARIANT_UNSPECIFIED',
    'SCHEDULE_UNKNOWN',
    'SCHEDULE_OVER',
    'SCHEDULE_OVERTAKEN',
    'MESSAGE_LIQUID_INVALID',
    'MESSAGE_BLOCK_UNKNOWN',
    'MESSAGE_CENTER_UNKNOWN',
  ],
  'messages.schedule.delete': ['SCHEDULE_UNKNOWN', 'SCHEDULE_OVER'],
  'messages.schedule_broadcasts': ['END_TIME_INVALID'],
  'messages.schedule.get': ['SCHEDULE_UNKNOWN'],
  'messages.sends.get': ['DISPATCH_UNKNOWN', 'SENDS_CURSOR_INVALID'],
  'messages.live_activity.register': ['ACTIVITIES_FULL'],
  'messages.live_activity.start': [...sentByWorker, 'MESSAGES_INVALID'],
  'messages.live_activity.get': ['ACTIVITY_UNKNOWN'],
  'cdi.integration_list': ['INTEGRATION_CURSOR_INVALID'],
  'cdi.integration_get': ['INTEGRATION_ID_INVALID', 'INTEGRATION_UNKNOWN'],
  'cdi.integration_create': ['CONNECTION_UNKNOWN', 'INTEGRATIONS_FULL'],
  'cdi.integration_update': ['INTEGRATION_ID_INVALID', 'INTEGRATION_UNKNOWN', 'CONNECTION_UNKNOWN'],
  'cdi.integration_delete': ['INTEGRATION_ID_INVALID', 'INTEGRATION_UNKNOWN'],
  'cdi.integration_sync': [
    'INTEGRATION_ID_INVALID',
    'INTEGRATION_UNKNOWN',
    'INTEGRATION_PAUSED',
    'SYNC_RUNNING',
  ],
  'cdi.integration_job_status': ['INTEGRATION_ID_INVALID', 'INTEGRATION_CURSOR_INVALID'],
  'cdi.integration_job_rows': ['INTEGRATION_ID_INVALID', 'SYNC_JOB_UNKNOWN', 'INTEGRATION_CURSOR_INVALID'],
  'preference_center.get': ['PREFERENCE_CENTER_UNKNOWN'],
  'preference_center.user.get': ['PREFERENCE_CENTER_UNKNOWN', 'PREFERENCE_CENTER_DRAFT', 'PERSON_UNKNOWN'],
};

const rest = operations.filter(({ dialect }) => dialect !== 'scim');

const codeOf = (operation: (typeof operations)[number], input: JudgeInput): string | undefined => {
  const verdict = judge(operation, input, settings);
  return verdict.ok ? undefined : verdict.rejection.code;
};

describe.each(rest)('$id', (operation) => {
  const [example] = operation.examples;
  const params = example?.request.params ?? {};
  const [last] = Object.keys(params).slice(-1);
  const cases: Cases = {
    ...(last !== undefined && {
      PARAMETER_INVALID: { ...example?.request, params: { ...params, [last]: '' } },
    }),
    ...(operation.request.body && !operation.entries && { BODY_TOO_DEEP: { body: deep(51), depth: 51 } }),
    ...tables[operation.id],
  };
  const told = Object.entries(cases);

  if (told.length > 0)
    it.each(told)('%s', (code, input) => expect(codeOf(operation, { params, ...input })).toBe(code));

  it('documents these, and what is seen elsewhere', () => {
    const documented = new Set<string>(rejectionsOf(operation));
    const workers = new Set<string>(byWorker[operation.id]);
    // Beyond 1,000 levels a body is refused before it is parsed, where there are entries too.
    const byScan = operation.entries ? ['BODY_TOO_DEEP'] : [];
    const seen = [...told.map(([code]) => code), ...workers, ...byScan];
    expect([...documented].filter((code) => !elsewhere.has(code)).toSorted()).toEqual(seen.toSorted());
  });
});
