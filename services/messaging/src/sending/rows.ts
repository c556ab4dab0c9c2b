/** The states that the row of a recipient goes through before it is sent. */
import type { SendReason } from '@roster/contract';
import type { DeliveryDocument, SendDocument } from '@roster/store';
import type { JudgedRecipient } from './judge.ts';
import type { Written } from './rendering.ts';
import { short } from './retries.ts';

/** Not written yet: it gets its state at once. */
export const newRow = (
  { _id: delivery, ws, channel }: DeliveryDocument,
  profile: string,
  { now, expires }: { now: Date; expires: Date },
): SendDocument => ({
  _id: `${delivery}/${profile}`,
  ws,
  delivery,
  profile,
  channel,
  state: 'waiting',
  at: now,
  tries: 0,
  expires,
});

/** Without what belonged to the state before. */
const becomes = (
  { due: _due, reason: _reason, words: _words, ...row }: SendDocument,
  state: SendDocument['state'],
  at: Date,
  more: { due?: Date; reason?: string; tries?: number } = {},
): SendDocument => ({ ...row, state, at, ...more });

/** Who has it on a device already was not left out, whatever keeps it from the others. */
const leftOut = (row: SendDocument, reason: string, now: Date): SendDocument =>
  row.devices ? becomes(row, 'sent', now) : becomes(row, 'skipped', now, { reason });

export const judgedRow = (row: SendDocument, judged: JudgedRecipient, now: Date): SendDocument => {
  if ('skipped' in judged) return leftOut(row, judged.skipped, now);
  if ('until' in judged) return becomes(row, 'waiting', now, { due: judged.until, reason: judged.waits });
  return becomes(row, 'sending', now, { tries: row.tries + 1 });
};

/** A text that can't be written for this person is not sent. */
export const writtenRow = (row: SendDocument, written: Written, now: Date): SendDocument => {
  if ('content' in written) return row;
  const { kind, reason } = written.fault;
  const words = kind === 'aborted' ? `aborted: ${reason}` : `not_rendered: ${reason}`;
  return leftOut({ ...row, tries: row.tries - 1 }, short(words), now);
};

/** Others that are sent at the same moment have reached the cap. */
export const cappedRow = (row: SendDocument, now: Date): SendDocument =>
  leftOut({ ...row, tries: row.tries - 1 }, 'capped', now);

/** Its process ended between handing it over and the answer: it may have been sent. */
export const lostRow = (row: SendDocument, mayRepeat: boolean, now: Date): SendDocument =>
  mayRepeat
    ? becomes(row, 'waiting', now, { due: now, reason: 'sender_ended' satisfies SendReason })
    : becomes(row, 'unknown', now, { reason: 'sender_ended' satisfies SendReason });
