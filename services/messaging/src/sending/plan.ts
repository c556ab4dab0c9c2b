/** What is the same for all recipients of one delivery, read from it and from the settings of its workspace. */
import { pushOfPlatform, type WorkspaceSettings } from '@roster/access';
import { timeZone } from '@roster/contract';
import type { Channel, DeliveryDocument } from '@roster/store';
import { momentIn } from '../schedules/times.ts';
import type { WantedDevices } from './addresses.ts';
import type { Plan } from './judge.ts';
import type { Next } from './next.ts';
import { optimalDue } from './optimal.ts';
import type { Person } from './people.ts';
import type { Content } from './texts.ts';

/** By service id: how often they were active in each hour of the day, UTC. */
export type Hours = ReadonlyMap<string, readonly number[]>;

type Apps = WorkspaceSettings['apps'];

const pushOf = (platform: Apps[number]['platform']) => platform && pushOfPlatform[platform];

/** A push goes to the devices of each app of its platform, the start of a live activity to those of its own app. */
const devicesFor = (channel: Channel, content: Content, apps: Apps): WantedDevices =>
  channel === 'live_activity'
    ? {
        apps: new Set([String(content.app_id)]),
        recentOnly: false,
        activityType: String(content.activity_attributes_type),
      }
    : {
        apps: new Set(apps.flatMap(({ id, platform }) => (pushOf(platform) === channel ? id : []))),
        recentOnly: content.send_to_most_recent_device_only === true,
      };

/** Of the person, else of the workspace. */
const zoneFor =
  (usual: string) =>
  ({ profile }: Person): string => {
    const own = profile.fields.time_zone?.v;
    return (typeof own === 'string' && timeZone(own)) || usual;
  };

const dueFor = (
  delivery: DeliveryDocument,
  zoneOf: Plan['zoneOf'],
  hours: Hours,
): Plan['dueOf'] | undefined => {
  const { in_local_time, at_optimal_time } = delivery;
  if (at_optimal_time) return (person) => optimalDue(delivery, zoneOf(person), hours.get(person.profile._id));
  if (!in_local_time) return undefined;
  // People of one zone are asked for many times.
  const moments = new Map<string, Date>();
  return (person) => {
    const zone = zoneOf(person);
    const moment = moments.get(zone) ?? momentIn(delivery.time, zone);
    moments.set(zone, moment);
    return moment;
  };
};

export const planOf = (
  { delivery, recipients, content }: Pick<Next, 'delivery' | 'recipients' | 'content'>,
  { apps, messaging }: WorkspaceSettings,
  hours: Hours,
): Plan => {
  const zoneOf = zoneFor(messaging.time_zone);
  const dueOf = dueFor(delivery, zoneOf, hours);
  return {
    channel: delivery.channel,
    wantedState: recipients.recipient_subscription_state ?? 'subscribed',
    ...(typeof content.subscription_group_id === 'string' && { group: content.subscription_group_id }),
    devices: devicesFor(delivery.channel, content, apps),
    ...(dueOf && { dueOf }),
    zoneOf,
    ...(messaging.quiet_hours && { quietHours: messaging.quiet_hours }),
    mostLateMs: messaging.late_minutes * 60_000,
  };
};
