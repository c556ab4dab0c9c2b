/** What is the same for all recipients of one delivery, read from it and from the settings of its workspace. */
import { pushOf, type WorkspaceSettings } from '@roster/access';
import { timeZone } from '@roster/contract';
import type { DeliveryDocument } from '@roster/store';
import { momentIn } from '../schedules/times.ts';
import type { WantedDevices } from './addresses.ts';
import type { Plan } from './judge.ts';
import type { Next } from './next.ts';
import { optimalDue } from './optimal.ts';
import type { Recipient } from './people.ts';

/** By service id: how often they were active in each hour of the day, UTC. */
export type Hours = ReadonlyMap<string, readonly number[]>;

/** Of the person, else of the workspace. */
const zoneFor =
  (usual: string) =>
  ({ profile }: Recipient): string => {
    const own = profile.fields.time_zone?.v;
    return (typeof own === 'string' && timeZone(own)) || usual;
  };

type When = Pick<DeliveryDocument, 'channel' | 'time' | 'in_local_time' | 'at_optimal_time'>;

const dueFor = (delivery: When, zoneOf: Plan['zoneOf'], hours: Hours): Plan['dueOf'] | undefined => {
  const { in_local_time, at_optimal_time } = delivery;
  if (at_optimal_time) return (person) => optimalDue(delivery, zoneOf(person), hours.get(person.profile._id));
  return in_local_time && ((person) => momentIn(delivery.time, zoneOf(person)));
};

/** A push goes to the devices of each app that gets pushes of its channel, the start of a live activity to those of its own app. */
const devicesFor = (
  { delivery: { channel }, content }: Pick<Next, 'content'> & { delivery: When },
  apps: WorkspaceSettings['apps'],
): WantedDevices =>
  channel === 'live_activity'
    ? {
        apps: new Set([String(content.app_id)]),
        recentOnly: false,
        isShown: false,
        activityType: String(content.activity_attributes_type),
      }
    : {
        apps: new Set(apps.flatMap((app) => (pushOf(app) === channel ? app.id : []))),
        recentOnly: content.send_to_most_recent_device_only === true,
        isShown: content.alert !== undefined,
      };

export const planOf = (
  of: Pick<Next, 'recipients' | 'content'> & { delivery: When },
  { apps, messaging }: WorkspaceSettings,
  hours: Hours,
): Plan => {
  const { delivery, recipients, content } = of;
  const zoneOf = zoneFor(messaging.time_zone);
  const dueOf = dueFor(delivery, zoneOf, hours);
  return {
    channel: delivery.channel,
    wantedState: recipients.recipient_subscription_state ?? 'subscribed',
    ...(typeof content.subscription_group_id === 'string' && { group: content.subscription_group_id }),
    devices: devicesFor(of, apps),
    ...(dueOf && { dueOf }),
    zoneOf,
    ...(messaging.quiet_hours && { quietHours: messaging.quiet_hours }),
    mostLateMs: messaging.late_minutes * 60_000,
  };
};
