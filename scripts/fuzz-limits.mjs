// What the schemas of the interface cannot say, with its reason: in these operations the fuzzer does not hold an answer to it.

const accepts = 'positive_data_acceptance';
const rejects = 'negative_data_rejection';

const oneByOne =
  'Entries are judged one by one: a wrong one is refused in `errors`, the others are taken and the status is 2xx.';
const ofEntries =
  'Rules that need more than a schema: exactly one identifier of an entry, real emails, phones and times, bytes instead of characters, apps and groups of the workspace, the sum of entries over three lists.';
const ofGroups =
  'Only a group that the workspace has is known, and the channel of the group decides between emails and phones.';
const ofTemplates =
  'Names are unique, Liquid has to be well-formed, its references have to lead to blocks that exist, and tags have to be those of the workspace; an unknown block is 400.';
const ofSchedules =
  'Broadcasts list no users and others do; times lie ahead, without a zone where they are local; the members of a message depend on each other; apps, segments and content blocks are those of the workspace; an unknown schedule is 400.';
const ofActivities =
  'Only an app that the workspace has is known, dates are times, APNs takes 4,096 bytes, and an activity that nobody registered is 400.';
const ofIntegrations =
  'Only a connection that the workspace has is known; a payload excludes columns, an alias needs a label, and times of a schedule go with some steps only; an unknown integration is 404, and so is a cursor that no answer gave 400.';
const ofParameters = 'OpenAPI has no word for parameters of which one is needed, or one excludes another.';

/** All others of the fuzzer are about how operations follow each other, or about what is no promise of ours. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** By operation id: the check, and why it cannot hold. */
const limits = [
  ['users.track', rejects, oneByOne],
  ['users.track', accepts, ofEntries],
  ['users.track.bulk', rejects, oneByOne],
  ['users.track.bulk', accepts, ofEntries],
  ['users.track.sync', accepts, ofEntries],
  ['users.alias.new', rejects, oneByOne],
  ['users.alias.update', rejects, oneByOne],
  ['users.identify', rejects, oneByOne],
  ['users.delete', rejects, oneByOne],
  ['users.external_ids.rename', rejects, oneByOne],
  ['users.external_ids.remove', rejects, oneByOne],
  ['users.merge', accepts, 'Lengths in bytes, texts without NUL, and `identified` beside `unidentified`.'],
  [
    'users.export.ids',
    accepts,
    'Lengths in bytes, texts without NUL, and 50 identifiers over two lists together.',
  ],
  ['subscription.status.set', accepts, ofGroups],
  ['subscription.status.set.v2', accepts, ofGroups],
  ['subscription.status.get', accepts, `${ofGroups} ${ofParameters}`],
  ['subscription.user.status', accepts, ofParameters],
  ['subscription.history', accepts, ofParameters],
  ['content_blocks.create', accepts, ofTemplates],
  ['content_blocks.update', accepts, ofTemplates],
  ['content_blocks.delete', accepts, ofTemplates],
  ['content_blocks.info', accepts, ofTemplates],
  ['content_blocks.list', accepts, 'modified_after is not later than modified_before.'],
  ['preference_center.create', accepts, ofTemplates],
  ['preference_center.update', accepts, ofTemplates],
  ['preference_center.update.post', accepts, ofTemplates],
  ['messages.send', accepts, ofSchedules],
  ['messages.schedule.create', accepts, ofSchedules],
  ['messages.schedule.update', accepts, ofSchedules],
  ['messages.schedule.delete', accepts, ofSchedules],
  ['messages.schedule.get', accepts, ofSchedules],
  ['messages.live_activity.register', accepts, ofActivities],
  ['messages.live_activity.start', accepts, `${ofActivities} ${ofSchedules}`],
  ['messages.live_activity.update', accepts, ofActivities],
  ['messages.live_activity.get', accepts, ofActivities],
  ...['list', 'get', 'create', 'update', 'delete', 'sync', 'job_status', 'job_rows'].map((what) => [
    `cdi.integration_${what}`,
    accepts,
    ofIntegrations,
  ]),
  ['messages.schedule_broadcasts', accepts, 'end_time is required, and is a time.'],
  ['messages.sends.get', accepts, 'An unknown dispatch is 400, and so is a cursor that no answer gave.'],
];

/** Answers that say nothing of the body: a key that was used, a body or an address that is too large, a window that is used up. */
const besides = '[400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 428, 429, 431, "5xx"]';
const taken = '["2xx", "3xx", 401, 403, 404, 409, 413, 422, 429, 431, "5xx"]';

/** The same for the fuzzer. */
export const fuzzerConfig = () => {
  const off = new Map();
  for (const [id, check] of limits) off.set(id, [...(off.get(id) ?? []), check]);
  const operations = [...off].map(([id, checks]) =>
    [
      '[[operations]]',
      `include-operation-id = "${id}"`,
      ...checks.map((check) => `checks.${check}.enabled = false`),
    ].join('\n'),
  );
  return [
    '[checks]',
    'enabled = false',
    ...checks.map((check) => `${check}.enabled = true`),
    '',
    `[checks.${rejects}]`,
    'enabled = true',
    `expected-statuses = ${besides}`,
    '',
    `[checks.${accepts}]`,
    'enabled = true',
    `expected-statuses = ${taken}`,
    '',
    ...operations.flatMap((one) => [one, '']),
  ].join('\n');
};
