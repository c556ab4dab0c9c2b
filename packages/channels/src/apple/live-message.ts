/** A live activity that starts, goes on or ends, as APNs takes it. */
import { present } from '@roster/contract';
import type { Outgoing } from '../outgoing.ts';
import { alertIn, type Notification, soundIn, uuidOf } from './apple-message.ts';

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
