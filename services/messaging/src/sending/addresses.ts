/** Where a message goes: the email of a person, their phone, their devices, or nowhere in particular. */
import { hash } from 'node:crypto';
import type { ListItem } from '@roster/profile';
import type { Channel } from '@roster/store';
import { kindOf } from './channel-kinds.ts';
import type { Recipient } from './people.ts';

export interface Address {
  to: string;
  /** Of a device: its app, the key of its token in the profile, and a short name, which is kept with the result. */
  device?: { app: string; token: string; name: string };
}

/** Which devices of a person get a push. */
export interface WantedDevices {
  apps: ReadonlySet<string>;
  recentOnly: boolean;
  /** It shows something: devices that show nothing don't get it. */
  isShown: boolean;
  /** Only tokens that start live activities of this type; absent for pushes, which go to all others. */
  activityType?: string;
}

/** Of a person with more of them the latest get it. */
const mostDevices = 20;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const nameOf = (token: string): string => hash('sha256', token, 'base64url').slice(0, 12);

const deviceAt = ({ apps, isShown, activityType }: WantedDevices, { k, v }: ListItem): Address[] => {
  const [app, to] = [textIn(v.app_id), textIn(v.token)];
  if (app === undefined || to === undefined || !apps.has(app)) return [];
  if (textIn(v.activity_attributes_type) !== activityType) return [];
  if (isShown && v.notifications_enabled === false) return [];
  return [{ to, device: { app, token: k, name: nameOf(k) } }];
};

const devicesOf = ({ profile }: Recipient, wanted: WantedDevices): Address[] => {
  const latest = (profile.lists?.push_tokens?.items ?? []).toSorted((a, b) => b.at - a.at);
  return latest.flatMap((item) => deviceAt(wanted, item)).slice(0, wanted.recentOnly ? 1 : mostDevices);
};

const field = ({ profile }: Recipient, name: 'email' | 'phone'): Address[] | undefined => {
  const to = textIn(profile.fields[name]?.v);
  return to === undefined ? undefined : [{ to }];
};

/** It goes to the person, not to a place of theirs. */
const nowhere: readonly Address[] = [{ to: '' }];

/** All of them, or why there is none. */
export const addressesOf = (channel: Channel, person: Recipient, wanted: WantedDevices) => {
  const { needs } = kindOf[channel];
  if (needs === undefined) return nowhere;
  if (needs !== 'devices') return field(person, needs) ?? (`no_${needs}` as const);
  const devices = devicesOf(person, wanted);
  return devices.length > 0 ? devices : 'no_device';
};
