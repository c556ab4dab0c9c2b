/** HELP is answered once for each message, and so rarely that nobody can have many texts sent at the cost of a workspace. */

import { createHash } from 'node:crypto';
import { changeTo } from '@roster/batch';
import type { Channels } from '@roster/channels';
import { phoneActions } from '@roster/contract';
import { identityKey } from '@roster/profile';
import { expiryOf, type SendDocument, type Store } from '@roster/store';
import { createMinuteLimit } from '../pages/bounds.ts';
import { quietUntil } from '../sending/quiet-hours.ts';
import type { SettingsOfSender } from '../sending/settings.ts';

const perMinute = { phone: 1, workspace: 60 };
const keptDays = 30;

/** As for a message to a listed user. */
const pointsOfHelp = 3;

interface Asked {
  ws: string;
  phone: string;
  /** Of the message that asks: told again, it is answered once. */
  id: string;
  provider: string;
  text: string;
}

/** Without a delivery, and without a person: the phone stands in it as a digest. */
const rowOf = ({ ws, phone, id }: Asked, now: Date): SendDocument => {
  const digest = createHash('sha256')
    .update(JSON.stringify([ws, phone, id]))
    .digest('hex');
  const dispatch = `help-${digest.slice(0, 32)}`;
  const about = { ws, delivery: `${dispatch}/sms`, profile: '', channel: 'sms' as const };
  return {
    _id: `${dispatch}/sms/`,
    ...about,
    state: 'sending',
    at: now,
    tries: 1,
    expires: expiryOf(now, keptDays),
  };
};

interface HelpParts {
  store: Pick<Store, 'contactConsents' | 'messages'>;
  channels: Pick<Channels, 'send'>;
  settingsOf: SettingsOfSender;
  /** Charged to the workspace before the text leaves. */
  charge(ws: string, points: number): Promise<unknown>;
  now?(): number;
}

export const createHelp = ({ store, channels, settingsOf, charge, now = Date.now }: HelpParts) => {
  const { sends } = store.messages;
  const byPhone = createMinuteLimit({ perMinute: perMinute.phone, now });
  const byWorkspace = createMinuteLimit({ perMinute: perMinute.workspace, now });

  const hasStopped = async ({ ws, phone }: Asked): Promise<boolean> => {
    const key = identityKey(ws, { by: 'phone', phone });
    const said = (await store.contactConsents.read([key])).get(key) ?? [];
    return said.some(({ v, op }) => v === 'unsubscribed' && op === phoneActions.stop);
  };

  /** In the time zone of the workspace: nobody knows that of a phone. */
  const isQuiet = async (ws: string): Promise<boolean> => {
    const { quiet_hours, time_zone } = (await settingsOf(ws)).messaging;
    return quiet_hours !== undefined && quietUntil(new Date(now()), quiet_hours, time_zone) !== undefined;
  };

  /** Whether it is the first: its row stands before the text leaves. */
  const begin = async (row: SendDocument): Promise<boolean> => {
    const { _id, ...rest } = row;
    const { upsertedCount } = await sends.updateOne({ _id }, { $setOnInsert: rest }, { upsert: true });
    return upsertedCount === 1;
  };

  return async (asked: Asked): Promise<void> => {
    const { ws } = asked;
    if ((await hasStopped(asked)) || (await isQuiet(ws))) return;
    if (!byPhone(`${ws}/${asked.phone}`) || !byWorkspace(ws)) return;
    const row = rowOf(asked, new Date(now()));
    if (!(await begin(row))) return;
    await charge(ws, pointsOfHelp);
    const { provider, phone, text } = asked;
    const message = { id: row._id, to: phone, content: { body: text } };
    const answer = await channels.send('sms', { provider }, message);
    // It is not tried again: who still needs help asks again.
    const state = answer.state === 'later' ? 'refused' : answer.state;
    const told =
      answer.state === 'sent' ? { provider: answer.id } : { reason: answer.reason, words: answer.words };
    await sends.updateOne({ _id: row._id }, changeTo({ state, at: new Date(now()) }, told));
  };
};
