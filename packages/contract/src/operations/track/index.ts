/** Attributes, events and purchases. */
import { usersTrackBulk } from './bulk.ts';
import { usersTrackSync } from './sync.ts';
import { usersTrack } from './track.ts';

export const trackOperations = [usersTrack, usersTrackSync, usersTrackBulk] as const;
