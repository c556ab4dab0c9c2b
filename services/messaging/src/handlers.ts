import type { OperationsOf } from '@roster/contract';
import { registerActivity, startActivity, updateActivity } from './activities/changes.ts';
import { readActivity } from './activities/read.ts';
import { createCenter, updateCenter } from './centers/changes.ts';
import { getCenter, listCenters, urlOfCenter } from './centers/reads.ts';
import { createBlock, deleteBlock, updateBlock } from './content/changes.ts';
import { listBlocks, readBlock } from './content/reads.ts';
import type { Handler } from './handler.ts';
import { createSchedule, deleteSchedule, sendMessages, updateSchedule } from './schedules/changes.ts';
import { listBroadcasts, readCards, readSchedule, readSends } from './schedules/reads.ts';

/** What this worker does with each operation of its queue. An operation without a line does not compile. */
export const handlers: { readonly [Id in OperationsOf<'messaging'>]: Handler } = {
  'content_blocks.create': { change: createBlock },
  'content_blocks.update': { change: updateBlock },
  'content_blocks.list': { read: listBlocks },
  'content_blocks.info': { read: readBlock },
  'content_blocks.delete': { change: deleteBlock },
  'preference_center.create': { change: createCenter },
  'preference_center.update': { change: updateCenter },
  'preference_center.update.post': { change: updateCenter },
  'preference_center.list': { read: listCenters },
  'preference_center.get': { read: getCenter },
  'preference_center.user.get': { read: urlOfCenter },
  'messages.send': { change: sendMessages },
  'messages.schedule.create': { change: createSchedule },
  'messages.schedule.update': { change: updateSchedule },
  'messages.schedule.delete': { change: deleteSchedule },
  'messages.schedule_broadcasts': { read: listBroadcasts },
  'messages.schedule.get': { read: readSchedule },
  'messages.sends.get': { read: readSends },
  'messages.live_activity.register': { change: registerActivity },
  'messages.live_activity.start': { change: startActivity },
  'messages.live_activity.update': { change: updateActivity },
  'messages.live_activity.get': { read: readActivity },
  'content_cards.get': { read: readCards },
};
