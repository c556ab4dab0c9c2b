/** A live activity that goes on or ends, as APNs takes it. */
import { createHash } from 'node:crypto';
import { present } from '../json.ts';
import type { Outgoing } from '../outgoing.ts';

export interface Notification {
  /** Beside those that every push has. */
  headers: Readonly<Record<string, string>>;
  /** Behind the bundle id of the app. */
  topic: string;
  payload: object;
}

/** The same id for each try: APNs and devices know a repetition by it. */
const uuidOf = (id: string): string => {
  const bytes = createHash('sha256').update(id).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
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

/** Times in seconds since 1970. */
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
      'content-state': content.content_state,
      'stale-date': content.stale_date,
      'dismissal-date': content.dismissal_date,
      'relevance-score': content.relevance_score,
      alert: alertIn(content.alert),
      sound: soundIn(content.alert),
    }),
  },
});
