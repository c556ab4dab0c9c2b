/** The indexes of what is to be sent: see ../indexes.ts. */
import { atExpiry, by, type IndexTable, partialBy } from '../shapes/index-shape.ts';

export const messageIndexes: IndexTable = {
  schedules: {
    by_due: partialBy(['due'], 'The schedules that are due.'),
    by_workspace: partialBy(
      ['ws', 'due', 'size'],
      'How many schedules of a workspace wait, and their size.',
      'due',
    ),
    by_broadcast: {
      key: { ws: 1, due: 1 },
      options: { partialFilterExpression: { broadcast: true, due: { $exists: true } } },
      reason: 'The broadcasts that a workspace has planned.',
    },
    by_listed: partialBy(['listed'], 'The schedules that name a person who is erased.'),
    by_inclusion: partialBy(
      ['ws', 'includes', 'state'],
      'Which schedules include a content block: whether it may be deleted.',
      'includes',
    ),
    by_expiry: atExpiry('Removes schedules that are over.'),
  },
  deliveries: {
    by_lane: partialBy(['lane', 'due'], 'The deliveries that have something to do, lane by lane.'),
    by_taken: {
      key: { due: 1, taken: 1 },
      options: { partialFilterExpression: { taken: { $gte: 1 }, due: { $exists: true } } },
      reason: 'Deliveries that may have ended the process that sent them.',
    },
    by_halted: {
      key: { due: 1, halted: 1 },
      options: { partialFilterExpression: { halted: { $exists: true }, due: { $exists: true } } },
      reason: 'Deliveries that were stopped, until they are over.',
    },
    by_begin: {
      key: { ws: 1, began: -1 },
      reason: 'The last deliveries of a workspace: roster sends list.',
    },
    by_expiry: atExpiry('Removes deliveries with their schedules.'),
  },
  activities: {
    by_due: partialBy(['due', 'ws'], 'Live activities with an update that is not sent yet.', 'due'),
    by_workspace: by(['ws'], 'How many live activities a workspace has.'),
    by_expiry: atExpiry('Removes live activities that nobody can show any more.'),
  },
  sends: {
    by_due: partialBy(
      ['delivery', 'due'],
      'The recipients of a delivery who get it later, or are tried again.',
    ),
    by_sending: {
      key: { delivery: 1, at: 1 },
      options: { partialFilterExpression: { state: 'sending' } },
      reason: 'What a process was sending when it died.',
    },
    by_profile: by(
      ['profile', 'expires'],
      'What a person got, in the order of its beginning: content cards, frequency caps, and all of it when they are erased. No change of the row touches it.',
    ),
    by_expiry: atExpiry('Removes what became of recipients when it can be asked for no more.'),
  },
};
