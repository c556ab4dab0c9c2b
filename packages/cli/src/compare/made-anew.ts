/** Members whose values each service makes for itself. Pure. */

const names: ReadonlySet<string> = new Set([
  ...['service_id', 'random_bucket', 'request_id', 'accepted_at', 'dispatch_id', 'schedule_id', 'send_id'],
  ...['content_block_id', 'preference_center_api_id', 'preference_center_url', 'job_id', 'integration_id'],
  ...['created_at', 'updated_at', 'last_edited', 'edited_at', 'last_updated_at'],
]);

/** A person has one id that is not the service's own. */
const ofCustomer = 'external_id';

/** `parent`: the name of the list or object that has the member. */
export const isMadeAnew = (name: string, parent: string): boolean =>
  names.has(name) || isServiceId(name, parent);

/** The id of a person has another name in each service. */
export const isServiceId = (name: string, parent: string): boolean =>
  parent === 'users' && name.endsWith('_id') && name !== ofCustomer;
