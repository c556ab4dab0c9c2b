/** Where a message goes: the email, the phone, the devices of a person. */
import { createHash } from 'node:crypto';
import type { ListItem } from '@roster/profile';
import type { Channel } from '@roster/store';
import { isPush, isToPhone } from './channel-kinds.ts';
import type { Person } from './people.ts';

export interface Address {
  to: string;
  /** Of a device: its app, the key of its token in the profile, and a short name of it, which is kept with the result. */
  device?: { app: string; token: string; name: string };
}

/** Which devices of a person get a push. */
export interface WantedDevices {
  apps: ReadonlySet<string>;
  recentOnly: boolean;
  /** Only tokens that start live activities of this type; absent for pushes, which go to all other tokens. */
  activityType?: string;
}

type NoAddress = 'no_email' | 'no_phone' | 'no_device';

/** Of a person with more devices the latest ones get it. */
const mostDevices = 20;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const nameOf = (token: string): string => createHash('sha256').update(token).digest('base64url').slice(0, 12);

const deviceAt = ({ apps, activityType }: WantedDevices, { k, v }: ListItem): Address[] => {
  const [app, to] = [textIn(v.app_id), textIn(v.token)];
  const isWanted = textIn(v.activity_attributes_type) === activityType;
  return app !== undefined && to !== undefined && apps.has(app) && isWanted
    ? [{ to, device: { app, token: k, name: nameOf(k) } }]
    : [];
};

const devicesOf = ({ profile }: Person, wanted: WantedDevices): Address[] => {
  const latest = (profile.lists?.push_tokens?.items ?? []).toSorted((a, b) => b.at - a.at);
  return latest.flatMap((item) => deviceAt(wanted, item)).slice(0, wanted.recentOnly ? 1 : mostDevices);
};

const field = ({ profile }: Person, name: 'email' | 'phone'): Address[] => {
  const to = textIn(profile.fields[name]?.v);
  return to === undefined ? [] : [{ to }];
};

/** It goes to the person, not to a place of theirs. */
const nowhere: readonly Address[] = [{ to: '' }];

/** All of them, or why there is none. */
export const addressesOf = (
  channel: Channel,
  person: Person,
  wanted: WantedDevices,
): readonly Address[] | NoAddress => {
  const some = (addresses: Address[], none: NoAddress) => (addresses.length > 0 ? addresses : none);
  if (isPush(channel)) return some(devicesOf(person, wanted), 'no_device');
  if (isToPhone(channel)) return some(field(person, 'phone'), 'no_phone');
  return channel === 'email' ? some(field(person, 'email'), 'no_email') : nowhere;
};
