/** What was sent: `roster sends list | show | stop`. */
import { aboutReason, parseExact, present } from '@roster/contract';
import {
  type DeliveryDocument,
  deliveriesOf,
  externalIdsOf,
  listedName,
  recipientName,
  type ScheduleDocument,
  type SendDocument,
  type ShownState,
  shownAs,
  shownCounts,
  shownReason,
  shownState,
} from '@roster/store';
import { audited } from '../audited.ts';
import { type Family, type WorkspaceTools, wholeNumber } from '../command.ts';
import { missing, type Result, wrong } from '../result.ts';
import { scheduleNamed } from '../schedule-named.ts';
import { linesOf, member, number, plain, quoted, table } from '../shown.ts';
import { knownName } from '../suggest.ts';
import { plannedCommand, waitingIn } from './sends-planned.ts';
import { previewCommands } from './sends-preview.ts';

/** Whether the workspace was named: then commands that go on from here name it too. */
interface Given {
  workspace?: string;
}

interface Options {
  dispatch?: string;
  state?: string;
  after?: string;
  /** How many lines. */
  most: number;
}

const states = ['waiting', 'sending', 'sent', 'stored', 'refused', 'skipped', 'unknown'] as const;

/** One more than wanted was asked for. */
const someOf = <Row>(found: readonly Row[], most: number, how: (last: Row) => string) => {
  const some = found.slice(0, most);
  const last = some.at(-1);
  const note = found.length > most && last && `There are more than these ${number(most)}. ${how(last)}`;
  return { some, note };
};

const shown = ({ channel, began, ended, ...delivery }: DeliveryDocument) => ({
  channel,
  began,
  ended: ended ?? null,
  counts: shownCounts(delivery),
});

const deliveryTable = (deliveries: readonly DeliveryDocument[]): string =>
  table(deliveries, {
    ...plain('dispatch', 'channel', 'began', 'ended'),
    ...Object.fromEntries(
      states.map((state) => [
        state.toUpperCase(),
        (delivery: DeliveryDocument) => number(shownCounts(delivery)[state]),
      ]),
    ),
  });

const listDeliveries = async ({ store, ws }: WorkspaceTools, { most }: Options): Promise<Result> => {
  const found = await store.messages.deliveries
    .find({ ws }, { sort: { began: -1 }, limit: most + 1, projection: { message: 0 } })
    .toArray();
  const { some, note } = someOf(found, most, () => `See more with --most ${Math.min(1000, most * 10)}.`);
  const hasPlanned = (await store.messages.schedules.findOne(waitingIn(ws))) !== null;
  return {
    json: some.map((one) => {
      const { channel, ...more } = shown(one);
      return { dispatch: one.dispatch, channel, schedule: one.schedule, ...more };
    }),
    text: deliveryTable(some),
    notes: [note, hasPlanned && 'Others wait for their time: "roster sends planned" shows them.'],
  };
};

const shownRow = ({ _id, outbox: _outbox, stored: _stored, named, ...row }: SendDocument) => ({
  id: _id,
  ...row,
  ...(named !== undefined && { named: listedName(named) }),
});

const list = async (tools: WorkspaceTools, options: Options): Promise<Result> => {
  const { ws, store } = tools;
  const { dispatch, most, after } = options;
  const state = options.state === undefined ? undefined : knownName(states, options.state, 'state');
  if (dispatch === undefined) {
    if (state !== undefined)
      throw wrong('--state needs --dispatch: the recipients of one dispatch are listed by state.');
    return listDeliveries(tools, options);
  }
  const found = await store.messages.sends
    .find(
      {
        _id: { $gt: after ?? `${dispatch}/`, $lt: `${dispatch}0` },
        ws,
        ...(state && shownAs(state)),
      },
      { sort: { _id: 1 }, limit: most + 1 },
    )
    .toArray();
  const schedule = found.length === 0 ? await scheduleNamed(store, ws, dispatch) : undefined;
  const names = await externalIdsOf(store, found);
  const { some, note } = someOf(found, most, ({ _id }) => `See the next ones with --after ${_id}`);
  return {
    json: some.map((row) => ({
      ...shownRow(row),
      person: recipientName(row, names),
      state: shownState(row),
    })),
    text: table(some, {
      ID: ({ _id }) => _id,
      PERSON: (row) => recipientName(row, names),
      STATE: shownState,
      SINCE: ({ at }) => at,
      REASON: (row) => shownReason(row) ?? '',
    }),
    notes: [
      note,
      schedule && `No recipients to show: the schedule is ${schedule.state}.`,
      some.length > 0 && '"roster sends show <id>" shows one, with its message if it is stored.',
    ],
  };
};

/** Of a schedule or dispatch: its deliveries, and the commands that go on from here. */
const showPlanned = async ({ store, ws }: WorkspaceTools, id: string, options: Given): Promise<Result> => {
  const { _id, dispatch, state, reason, time, due, ended } = await scheduleNamed(store, ws, id);
  const found = await store.messages.deliveries.find(deliveriesOf(dispatch)).toArray();
  const where = options.workspace === undefined ? '' : ` --workspace ${quoted(ws)}`;
  const about = { schedule: _id, dispatch, state, time, ...present({ reason, due, ended }) };
  const isOpen = state === 'waiting' || state === 'sending';
  return {
    json: { ...about, deliveries: found.map(shown) },
    text: linesOf([
      ...Object.entries(about).map(([name, value]) => member(name, value)),
      found.length > 0 && deliveryTable(found).trimEnd(),
    ]),
    notes: [
      found.length > 0 && `Its recipients: roster sends list --dispatch ${dispatch}${where}`,
      isOpen && `To stop it: roster sends stop ${dispatch}${where}`,
    ],
  };
};

const show = async (tools: WorkspaceTools, id: string, options: Given): Promise<Result> => {
  const row = await tools.store.messages.sends.findOne({ _id: id, ws: tools.ws });
  if (!row) return showPlanned(tools, id, options);
  const { outbox, provider } = row;
  const message = outbox === undefined ? undefined : (parseExact(outbox) as Record<string, unknown>);
  const person = recipientName(row, await externalIdsOf(tools.store, [row]));
  const state = shownState(row);
  const { reason = '', words } = row;
  const about = { id, person, state, reason: shownReason(row), words, provider };
  const lines = [...Object.entries(about), ...Object.entries(message ?? {})].filter(
    ([, value]) => value !== undefined,
  );
  return {
    json: { ...shownRow(row), person, state, ...(message && { message }) },
    text: linesOf(lines.map(([name, value]) => member(name, value))),
    notes: [aboutReason(reason)],
  };
};

const stopped = (
  state: ScheduleDocument['state'],
  counts: readonly ReturnType<typeof shownCounts>[],
): string => {
  if (state === 'waiting') return 'cancelled: nothing of it is sent\n';
  const sum = (of: ShownState): string => number(counts.reduce((all, one) => all + one[of], 0));
  const isStored = counts.some(({ stored }) => stored > 0) ? `, ${sum('stored')} are stored` : '';
  return `stopped: ${sum('sent')} got it${isStored}, ${sum('sending')} are being sent to, nobody else is; ${sum('waiting')} who waited are skipped\n`;
};

const stop = async ({ store, ws }: WorkspaceTools, id: string): Promise<Result> => {
  const { _id, dispatch } = await scheduleNamed(store, ws, id);
  const now = new Date();
  let was: ScheduleDocument['state'] | undefined;
  await audited(store, { what: 'sends.stopped', target: _id, now }, async (session) => {
    const found = await store.messages.schedules.findOne({ _id }, { session });
    if (!found) throw missing(`the schedule ${_id} is no longer there`);
    was = found.state;
    if (!(await store.stopSchedule(session, found, { now, changed: now.getTime() * 1000 })))
      throw wrong(`nothing is left to stop: the schedule is ${was}`);
  });
  const deliveries = await store.messages.deliveries.find(deliveriesOf(dispatch)).toArray();
  const counts = deliveries.map(shownCounts);
  return {
    json: {
      schedule: _id,
      dispatch,
      was,
      results: Object.fromEntries(deliveries.map((one) => [one.channel, shownCounts(one)])),
    },
    text: stopped(was ?? 'sending', counts),
  };
};

const help = `
Without --dispatch the last deliveries are listed: each channel of a schedule whose time has come, with how many recipients are in each state.
With it the recipients are listed. A message without credentials does not leave: it is stored, and "roster sends show" shows it. Content cards
are sent when they are stored: apps read them. The interface counts stored messages as sent; these commands and the outbox show them apart.

  waiting   it is not their time yet, or it is tried again
  sending   it is being sent
  sent      the provider took it
  stored    there are no credentials: nothing left
  refused   the provider refused it
  skipped   it was not sent: the person unsubscribed, has no email, ...
  unknown   the process that sent it ended before the answer: it may have been sent

Examples:
  $ roster sends list
  $ roster sends planned
  $ roster sends list --dispatch 4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b --state skipped
  $ roster sends show 4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b/email/0mlgx6m5blc000000000
  $ roster sends stop 4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b`;

const workspace = 'the workspace that sends';

export const sendsCommands: Family = {
  about: 'sends: what became of messages, and how to stop them',
  example: 'roster sends list',
  help,
  commands: {
    list: {
      about: 'the last deliveries, or the recipients of one dispatch',
      workspace,
      flags: {
        '--dispatch <id>': 'the recipients of this dispatch',
        '--state <state>': 'only those in this state',
        '--after <id>': 'of a dispatch: those after this recipient',
        '--most <number>': wholeNumber('so many lines', [1, 1000], 20),
      },
      run: list,
    },
    planned: plannedCommand,
    'show <id>': {
      about: 'one recipient, with the message if it is stored; or a schedule or dispatch',
      workspace,
      run: show,
    },
    'stop <id>': {
      about: 'cancel a schedule, or stop it while it is being sent; by its id or its dispatch',
      workspace,
      run: stop,
    },
    ...previewCommands,
  },
};
