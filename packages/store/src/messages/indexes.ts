/** The indexes of what is to be sent: see ../indexes.ts. */
import { byExpiry, type Index } from '../shapes/index-shape.ts';

const wherever = (name: string) => ({ partialFilterExpression: { [name]: { $exists: true } } });

export const messageIndexes: readonly Index[] = [
  {
    collection: 'schedules',
    name: 'by_due',
    key: { due: 1 },
    options: wherever('due'),
    reason: 'The schedules that are due.',
  },
  {
    collection: 'schedules',
    name: 'by_workspace',
    key: { ws: 1, due: 1, size: 1 },
    options: wherever('due'),
    reason: 'How many schedules of a workspace wait, and their size.',
  },
  {
    collection: 'schedules',
    name: 'by_broadcast',
    key: { ws: 1, due: 1 },
    options: { partialFilterExpression: { broadcast: true, due: { $exists: true } } },
    reason: 'The broadcasts that a workspace has planned.',
  },
  {
    collection: 'schedules',
    name: 'by_listed',
    key: { listed: 1 },
    options: wherever('listed'),
    reason: 'The schedules that name a person who is erased.',
  },
  {
    collection: 'schedules',
    name: 'by_inclusion',
    key: { ws: 1, includes: 1, state: 1 },
    options: wherever('includes'),
    reason: 'Which schedules include a content block: whether it may be deleted.',
  },
  byExpiry('schedules', 'Removes schedules that are over.'),
  {
    collection: 'deliveries',
    name: 'by_lane',
    key: { lane: 1, due: 1 },
    options: wherever('due'),
    reason: 'The deliveries that have something to do, lane by lane.',
  },
  {
    collection: 'deliveries',
    name: 'by_taken',
    key: { due: 1, taken: 1 },
    options: { partialFilterExpression: { taken: { $gte: 1 }, due: { $exists: true } } },
    reason: 'Deliveries that may have ended the process that sent them.',
  },
  {
    collection: 'deliveries',
    name: 'by_halted',
    key: { due: 1, halted: 1 },
    options: { partialFilterExpression: { halted: { $exists: true }, due: { $exists: true } } },
    reason: 'Deliveries that were stopped, until they are over.',
  },
  {
    collection: 'deliveries',
    name: 'by_begin',
    key: { ws: 1, began: -1 },
    reason: 'The last deliveries of a workspace: roster sends list.',
  },
  byExpiry('deliveries', 'Removes deliveries with their schedules.'),
  {
    collection: 'activities',
    name: 'by_due',
    key: { due: 1, ws: 1 },
    options: wherever('due'),
    reason: 'Live activities with an update that is not sent yet.',
  },
  {
    collection: 'activities',
    name: 'by_workspace',
    key: { ws: 1 },
    reason: 'How many live activities a workspace has.',
  },
  byExpiry('activities', 'Removes live activities that nobody can show any more.'),
  {
    collection: 'sends',
    name: 'by_due',
    key: { delivery: 1, due: 1 },
    options: wherever('due'),
    reason: 'The recipients of a delivery who get it later, or are tried again.',
  },
  {
    collection: 'sends',
    name: 'by_sending',
    key: { delivery: 1, at: 1 },
    options: { partialFilterExpression: { state: 'sending' } },
    reason: 'What a process was sending when it died.',
  },
  {
    collection: 'sends',
    name: 'by_profile',
    key: { profile: 1, expires: 1 },
    reason:
      'What a person got, in the order of its beginning: content cards, frequency caps, and all of it when they are erased. No change of the row touches it.',
  },
  byExpiry('sends', 'Removes what became of recipients when it can be asked for no more.'),
];
