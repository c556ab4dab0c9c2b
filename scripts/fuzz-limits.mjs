// What the schemas of the interface cannot say, with its reason: in these operations the fuzzer does not hold an answer to it.

const accepts = 'positive_data_acceptance';
const rejects = 'negative_data_rejection';

/** All others of the fuzzer are about how operations follow each other, or about what is no promise of ours. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** The check, why it cannot hold, and the operations of which that is so. */
const limits = [
  [
    rejects,
    'Entries are judged one by one: a wrong one is refused in `errors`, the others are taken and the status is 2xx.',
    'users.track users.track.bulk users.alias.new users.alias.update users.identify users.delete users.external_ids.rename users.external_ids.remove',
  ],
  [
    accepts,
    'Rules that need more than a schema: exactly one identifier of an entry, real emails, phones and times, bytes instead of characters, apps and groups of the workspace, the sum of entries over three lists.',
    'users.track users.track.bulk users.track.sync',
  ],
  [
    accepts,
    'Lengths in bytes, texts without NUL, and `identified` beside `unidentified`; 50 identifiers over two lists together.',
    'users.merge users.export.ids',
  ],
  [
    accepts,
    'Only a group that the workspace has is known, and the channel of the group decides between emails and phones.',
    'subscription.status.set subscription.status.set.v2 subscription.status.get',
  ],
  [
    accepts,
    'OpenAPI has no word for parameters of which one is needed, or one excludes another.',
    'subscription.status.get subscription.user.status subscription.history',
  ],
  [
    accepts,
    'Names are unique, Liquid has to be well-formed, its references have to lead to blocks that exist, and tags have to be those of the workspace; an unknown block is 400.',
    'content_blocks.create content_blocks.update content_blocks.delete content_blocks.info preference_center.create preference_center.update preference_center.update.post',
  ],
  [accepts, 'modified_after is not later than modified_before.', 'content_blocks.list'],
  [
    accepts,
    'Broadcasts list no users and others do; times lie ahead, without a zone where they are local; the members of a message depend on each other; apps, segments and content blocks are those of the workspace; an unknown schedule is 400.',
    'messages.send messages.schedule.create messages.schedule.update messages.schedule.delete messages.schedule.get messages.live_activity.start',
  ],
  [
    accepts,
    'Only an app that the workspace has is known, dates are times, APNs takes 4,096 bytes, and an activity that nobody registered is 400.',
    'messages.live_activity.register messages.live_activity.start messages.live_activity.update messages.live_activity.get',
  ],
  [
    accepts,
    'Only a connection that the workspace has is known; a payload excludes columns, an alias needs a label, and times of a schedule go with some steps only; an unknown integration is 404, and so is a cursor that no answer gave 400.',
    'cdi.integration_list cdi.integration_get cdi.integration_create cdi.integration_update cdi.integration_delete cdi.integration_sync cdi.integration_job_status cdi.integration_job_rows',
  ],
  [accepts, 'end_time is required, and is a time.', 'messages.schedule_broadcasts'],
  [accepts, 'An unknown dispatch is 400, and so is a cursor that no answer gave.', 'messages.sends.get'],
];

/** Answers that say nothing of the body: a key that was used, a body or an address that is too large, a window that is used up. */
const besides = '[400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 428, 429, 431, "5xx"]';
const taken = '["2xx", "3xx", 401, 403, 404, 409, 413, 422, 429, 431, "5xx"]';

/** The same for the fuzzer. */
export const fuzzerConfig = () => {
  const off = new Map();
  for (const [check, , ids] of limits)
    for (const id of ids.split(' ')) off.set(id, new Set(off.get(id)).add(check));
  const operations = [...off].map(([id, checks]) =>
    [
      '[[operations]]',
      `include-operation-id = "${id}"`,
      ...[...checks].map((check) => `checks.${check}.enabled = false`),
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
