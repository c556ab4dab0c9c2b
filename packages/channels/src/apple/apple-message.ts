/** Pushes of the interface as APNs takes them. */
import { hash } from 'node:crypto';
import { parseTime, present } from '@roster/contract';
import type { Outgoing } from '../outgoing.ts';

export interface Notification {
  /** Beside those that every push has. */
  headers: Readonly<Record<string, string>>;
  /** Behind the bundle id of the app. */
  topic: string;
  payload: object;
}

type AppleContent = Outgoing['content'];

/** The same id for each try: APNs and devices know a repetition by it. */
const uuidOf = (id: string): string => {
  const hex = hash('sha256', id);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** `title_loc_key` is `title-loc-key` there. A sound stands beside the alert. */
const alertIn = (alert: unknown): unknown =>
  typeof alert === 'object' && alert !== null
    ? Object.fromEntries(
        Object.entries(alert)
          .filter(([name]) => name !== 'sound')
          .map(([name, value]) => [name.replaceAll('_', '-'), value]),
      )
    : alert;

const soundIn = (alert: unknown): unknown =>
  typeof alert === 'object' && alert !== null ? (alert as { sound?: unknown }).sound : undefined;

const flag = (value: unknown): 1 | undefined => (value === true ? 1 : undefined);

/** Members without a value are not written. */
const apsOf = (content: AppleContent) => ({
  alert: alertIn(content.alert),
  badge: content.badge,
  sound: content.sound ?? soundIn(content.alert),
  'content-available': flag(content['content-available']),
  'mutable-content': flag(content.mutable_content) ?? flag(content.asset_url !== undefined),
  'interruption-level': content.interruption_level,
  'relevance-score': content.relevance_score,
  'thread-id': content.notification_group_thread_id,
  category: content.category,
});

/** What APNs has no member for, for the app. */
const ownOf = ({ id, content }: Outgoing) => ({
  id,
  uri: content.custom_uri,
  use_webview: content.use_webview,
  asset:
    content.asset_url === undefined ? undefined : { url: content.asset_url, type: content.asset_file_type },
  buttons: content.buttons,
});

/** Seconds since 1970. A time that a template has written may be none. */
const expirationOf = (expiry: unknown): string | undefined => {
  const ms = typeof expiry === 'string' ? parseTime(expiry) : undefined;
  return ms === undefined ? undefined : String(Math.max(0, Math.floor(ms / 1000)));
};

/** APNs knows three, and refuses a push with another one; a silent push may not have the highest. */
const priorityOf = (priority: unknown, isSilent: boolean): '1' | '5' | '10' => {
  const wanted = Number(priority ?? 10);
  if (wanted <= 1) return '1';
  return wanted <= 5 || isSilent ? '5' : '10';
};

export const appleIn = (message: Outgoing): Notification => {
  const { id, content } = message;
  const isSilent = content.alert === undefined && content['content-available'] === true;
  const { aps: _aps, roster: _roster, ...extra } = (content.extra ?? {}) as Record<string, unknown>;
  const headers = present({
    'apns-id': uuidOf(id),
    'apns-push-type': isSilent ? 'background' : 'alert',
    'apns-priority': priorityOf(content.apns_priority, isSilent),
    'apns-expiration': expirationOf(content.expiry),
    'apns-collapse-id': content.collapse_id,
  }) as Record<string, string>;
  return { topic: '', headers, payload: { ...extra, aps: apsOf(content), roster: ownOf(message) } };
};

/** A live activity that starts, goes on or ends. Times in seconds since 1970. */
export const liveIn = ({ id, content }: Outgoing): Notification => ({
  topic: '.push-type.liveactivity',
  headers: {
    'apns-id': uuidOf(id),
    'apns-push-type': 'liveactivity',
    'apns-priority': String(content.priority ?? 5),
  },
  payload: {
    aps: present({
      timestamp: content.timestamp,
      event: content.event,
      'attributes-type': content.activity_attributes_type,
      attributes: content.activity_attributes,
      'content-state': content.content_state,
      'stale-date': content.stale_date,
      'dismissal-date': content.dismissal_date,
      'relevance-score': content.relevance_score,
      alert: alertIn(content.alert),
      sound: soundIn(content.alert),
    }),
  },
});

/** An update or end for all phones that listen to a broadcast channel. A channel that stores nothing takes no other expiration than 0. */
export const broadcastIn = (message: Outgoing): Notification => {
  const { headers, payload } = liveIn(message);
  const { 'apns-id': id = '', ...others } = headers;
  const expiration = String(message.content.expiration ?? 0);
  return {
    topic: '',
    headers: { ...others, 'apns-request-id': id, 'apns-expiration': expiration },
    payload,
  };
};
