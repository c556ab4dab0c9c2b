/** Every permission a key can carry. Names stay, so that a key made today keeps its meaning. */
export const permissions = [
  'users.track',
  'users.track.sync',
  'users.track.bulk',
  'users.delete',
  'users.alias.new',
  'users.alias.update',
  'users.identify',
  'users.merge',
  'users.export.ids',
  'users.external_ids.rename',
  'users.external_ids.remove',
  'subscription.status.set',
  'subscription.status.get',
  'subscription.groups.get',
  'subscription.history',
  'content_blocks.info',
  'content_blocks.list',
  'content_blocks.create',
  'content_blocks.update',
  'content_blocks.delete',
  'preference_center.get',
  'preference_center.list',
  'preference_center.update',
  'preference_center.user.get',
  'messages.live_activity.get',
  'messages.live_activity.register',
  'messages.send',
  'messages.schedule.create',
  'messages.schedule.update',
  'messages.schedule.delete',
  'messages.schedule.get',
  'messages.schedule_broadcasts',
  'messages.sends.get',
  'content_cards.get',
  'messages.live_activity.start',
  'messages.live_activity.update',
  'cdi.integration_list',
  'cdi.integration_job_status',
  'cdi.integration_sync',
  'cdi.integration_get',
  'cdi.integration_create',
  'cdi.integration_update',
  'cdi.integration_delete',
  'cdi.integration_job_rows',
  'requests.read',
] as const;

export type Permission = (typeof permissions)[number];

const known: ReadonlySet<string> = new Set(permissions);

export function isPermission(text: string): text is Permission {
  return known.has(text);
}
