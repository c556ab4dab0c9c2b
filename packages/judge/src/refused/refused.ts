/** A line of the tables: what is sent, and what is answered. */
import type { EntryErrorCode } from '@roster/contract';
import { aJudgeSettings } from '../test-settings.ts';

export type EntryList = 'attributes' | 'events' | 'purchases';

export interface Refused {
  /** Sent alone in its array. */
  entry: unknown;
  code: EntryErrorCode;
  sentence: string;
}

export const time = '2026-01-31T12:00:00Z';
export const event = { external_id: 'ada', name: 'signed_in', time };
export const purchase = { external_id: 'ada', product_id: 'tea', currency: 'EUR', price: 4.5, time };

/** Of the workspace that refuses all of them. */
export const settings = aJudgeSettings({
  blockedExternalIds: new Set(['dummy', '7', 'blocked']),
  suspiciousExternalIds: new Set([
    ...['', 'null', 'undefined', '[object object]', '0', 'guest', 'none', 'nan', 'anonymous', 'true'],
  ]),
  groups: new Map([
    ['news', 'email'],
    ['alerts', 'sms'],
    ['demo-news', 'email'],
    ['demo-texts', 'sms'],
  ]),
  apps: new Set(['shop', 'demo-app']),
});
