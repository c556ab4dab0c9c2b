/** Schedules without deliveries: those that wait, and those that ended before anything was sent. */
import type { ScheduleDocument } from '@roster/store';
import { type Command, type WorkspaceTools, wholeNumber } from '../command.ts';
import type { Result } from '../result.ts';
import { number, plain, table } from '../shown.ts';

interface Options {
  state: 'waiting' | 'cancelled' | 'missed';
  most: number;
}

/** A range of dates is read in the index. */
export const waitingIn = (ws: string) => ({ ws, due: { $gt: new Date(0) } });

const list = async ({ store, ws }: WorkspaceTools, { state, most }: Options): Promise<Result> => {
  const isWaiting = state === 'waiting';
  const found = await store.messages.schedules
    .find(isWaiting ? waitingIn(ws) : { ws, state }, {
      sort: isWaiting ? { due: 1 } : { ended: -1 },
      limit: most + 1,
      projection: { messages: 0, recipients: 0, listed: 0 },
    })
    .toArray();
  const some = found.slice(0, most);
  return {
    json: some.map(({ _id, dispatch, time, due = null, ended = null }) => ({
      ...{ schedule: _id, dispatch, state, time, due, ended },
    })),
    text: table(some, {
      ...plain('dispatch', 'state', 'due', 'ended'),
      SCHEDULE: ({ _id }: ScheduleDocument) => _id,
    }),
    notes: [
      found.length > most && `There are more than these ${number(most)}. See more with --most.`,
      some.length > 0 && '"roster sends show <dispatch>" shows one.',
      some.length > 0 && isWaiting && '"roster sends stop <dispatch>" cancels one.',
    ],
  };
};

export const plannedCommand: Command = {
  about: 'schedules that wait for their time, the next one first; or those that were cancelled or missed',
  workspace: 'the workspace that sends',
  flags: {
    '--state <state>': {
      about: 'in which state',
      choices: ['waiting', 'cancelled', 'missed'],
      usual: 'waiting',
    },
    '--most <number>': wholeNumber('so many lines', [1, 1000], 20),
  },
  run: list,
};
