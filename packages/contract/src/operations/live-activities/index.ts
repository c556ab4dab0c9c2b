import { activityGet, activityRegister, activityUpdate } from './activities.ts';
import { activityStart } from './start.ts';

export const liveActivityOperations = [activityRegister, activityStart, activityUpdate, activityGet] as const;
