/** Sends the last update of a live activity to the devices that do not have it, and writes down what became of it. */

import { type Answer, appCredentials, type Channels, type ReadCredential } from '@roster/channels';
import { present } from '@roster/contract';
import type { ActivityDocument, Store } from '@roster/store';
import { inParallel } from '../sending/in-parallel.ts';
import { short } from '../sending/retries.ts';
import type { SettingsOfSender } from '../sending/settings.ts';
import { contentIn } from './content.ts';
import { doneIn } from './results.ts';
import { createWriteTold, type ToldDevice, type Turn } from './write-told.ts';

export interface SendOptions {
  store: Store;
  settingsOf: SettingsOfSender;
  channels: Pick<Channels, 'send'>;
  readCredential: ReadCredential;
  /** Of each device and try. */
  onTold(state: string): void;
}

/** Devices. */
const atOnce = 20;

/** What can't be sent now, because of its credentials, may be sent later. */
const later = ({ message: reason }: Error): Answer => ({ state: 'later', reason });

const overdue: Answer = { state: 'later', reason: 'its turn took too long' };

const toldOf = (token: string, answer: Answer): ToldDevice => {
  if (answer.state === 'later')
    return { token, later: answer.reason, ...present({ afterMs: answer.afterMs }) };
  if (answer.state === 'sent')
    return { token, done: { token, state: 'sent', ...present({ id: answer.id }) } };
  return {
    token,
    ...(answer.state === 'refused' && answer.gone && { gone: answer.gone }),
    done: { token, state: answer.state, reason: short(answer.reason) },
  };
};

export const createSendUpdate = ({ store, settingsOf, channels, readCredential, onTold }: SendOptions) => {
  const write = createWriteTold(store);

  /** Throws when the credentials can't be read. */
  const credentialsOf = async ({ ws, app }: ActivityDocument) =>
    appCredentials('live_activity', await settingsOf(ws), app, readCredential);

  const sendTo = async ({ activity, update }: Turn, tokens: readonly string[], mayBegin: () => boolean) => {
    const credentials = await credentialsOf(activity);
    if (!credentials)
      return tokens.map((token) =>
        toldOf(token, { state: 'refused', reason: 'the app has no channels.ios_push' }),
      );
    const content = contentIn(update.content);
    const told = new Map<string, ToldDevice>();
    await inParallel(tokens, atOnce, async (token) => {
      const message = { id: `${update.request}/${token}`, to: token, content };
      const answer = mayBegin()
        ? await channels.send('live_activity', credentials, message).catch(later)
        : overdue;
      told.set(token, toldOf(token, answer));
    });
    return tokens.flatMap((token) => told.get(token) ?? []);
  };

  return async (activity: ActivityDocument, mayBegin: () => boolean): Promise<void> => {
    const { update, devices } = activity;
    if (!update) return;
    const turn = { activity, update, tries: update.tries + 1 };
    const has = new Set(doneIn(update).map(({ token }) => token));
    const left = devices.map(({ token }) => token).filter((token) => !has.has(token));
    const told = await sendTo(turn, left, mayBegin).catch((error: Error) =>
      left.map((token) => toldOf(token, later(error))),
    );
    for (const one of told) onTold('done' in one ? one.done.state : 'waiting');
    await write(turn, told);
  };
};
