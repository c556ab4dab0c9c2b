import { bounds, type Limits } from '../bounds.ts';
import { openFiles } from '../files/files.ts';
import type { BucketTable, FileSettings } from '../settings.ts';
import type { Source } from '../source.ts';
import { patient } from '../testbed.ts';
import { type BucketBounds, openBucket } from './bucket.ts';

export type BucketSettings = BucketTable & FileSettings;

export const secretKey = 'S3RVER';

/** What the test server takes. */
export const settingsOf = (endpoint: string, more: Partial<BucketSettings> = {}): BucketSettings => ({
  kind: 's3',
  endpoint,
  region: 'us-east-1',
  bucket: 'exports',
  accessKey: 'S3RVER',
  secretKey,
  format: 'ndjson',
  updatedAt: 'UPDATED_AT',
  tie: 'id',
  ...more,
});

/** With bounds and limits that a test sets. */
export const openBounded = (
  settings: BucketSettings,
  more: Partial<BucketBounds>,
  limits: Partial<Limits> = {},
): Source => openFiles(openBucket(settings, { ...patient, ...limits }, { ...bounds, ...more }), settings);
