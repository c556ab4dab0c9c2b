/** Sends the last update of a live activity to the devices that do not have it, and writes down what became of it. */
import type { Answer } from '@roster/channels';
import type { ActivityDocument, Store } from '@roster/store';
import { inParallel } from '../sending/in-parallel.ts';
import type { Hand } from '../sending/send-one.ts';
import { contentIn } from './content.ts';
import { doneIn } from './results.ts';
import { createWriteTold, type ToldDevice } from './write-told.ts';

export interface SendOptions {
  store: Store;
  hand: Hand;
  /** Of each device and try. */
  onTold(state: string): void;
}

/** Devices. */
const atOnce = 20;

/** What can't be sent now may be sent later. */
const later = ({ message: reason }: Error): Answer => ({ state: 'later', reason });

const overdue: Answer = { state: 'later', reason: 'its turn took too long' };

const keyless: Answer = { state: 'refused', reason: 'the app has no channels.ios_push' };

/** However long it takes. */
const until = Number.POSITIVE_INFINITY;

export const createSendUpdate = ({ store, hand, onTold }: SendOptions) => {
  const write = createWriteTold(store);

  return async (activity: ActivityDocument, mayBegin: () => boolean): Promise<void> => {
    const { ws, app, update, devices } = activity;
    if (!update) return;
    const turn = { activity, update, tries: update.tries + 1 };
    const has = new Set(doneIn(update).map(({ token }) => token));
    const left = devices.map(({ token }) => token).filter((token) => !has.has(token));
    const told = left.map((token): ToldDevice => ({ token, answer: overdue }));
    const content = { ...contentIn(update.content), app_id: app };
    await inParallel(told, atOnce, async (one) => {
      const message = { id: `${update.request}/${one.token}`, person: '', content, until };
      if (!mayBegin()) return;
      const answer = await hand(ws, 'live_activity', { to: one.token }, message).catch(later);
      one.answer = answer ?? keyless;
    });
    for (const { answer } of told) onTold(answer.state === 'later' ? 'waiting' : answer.state);
    await write(turn, told);
  };
};
