/** A message on its way out, and what became of it. */
import type { Leave, SendReason } from '@roster/contract';

export type { Leave };

/** A message whose texts are written, in the shape of the interface. */
export interface Outgoing {
  /** The same for each try. */
  id: string;
  /** The email, or the token of a device; nothing for a webhook. */
  to: string;
  /** Where the provider tells what became of it, if it is told. */
  report?: string;
  /** Headers of an email that are not the sender's: those by which one click unsubscribes. */
  headers?: Readonly<Record<string, string>>;
  /** Without it, it stands in line as long as it takes. */
  leave?: Leave;
  content: { readonly [name: string]: unknown };
}

/** Why it was not sent, or is tried again. */
export interface Why {
  reason: SendReason;
  /** More about it, for operators alone: a provider may repeat what it was told. */
  words?: string;
}

/** The device is gone; since that moment, if the provider says so. */
export interface Gone {
  since?: number;
  /** Of a token that is none of the channel, which may be the mistake of the channel: whether another token was one by now. */
  isSure?(): boolean;
}

/** What became of one message at its provider. */
export type Answer =
  /** The provider took it over; `id` is its name there, if it has one. */
  | { state: 'sent'; id?: string }
  /** It will never take it. `isOptedOut`: the person has told the provider that they want no more of them. */
  | ({ state: 'refused'; gone?: Gone; isOptedOut?: true } & Why)
  /** It has certainly not taken it, and may do so later. `unbegun`: it was not asked, because there was no place in time, or because it wants a pause (then with `afterMs`). */
  | ({ state: 'later'; afterMs?: number; unbegun?: true } & Why)
  /** It was handed over, and there is no answer: it may have been taken. */
  | ({ state: 'unknown' } & Why);

export const tooLarge = (most: number): Answer => ({
  state: 'refused',
  reason: 'message_too_large',
  words: `the push is larger than ${most} bytes`,
});
