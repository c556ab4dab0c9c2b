/** Hands a message over for one recipient, and says what became of it. */
import type { Answer } from '@roster/channels';
import type { Channel, SendDocument } from '@roster/store';
import { givenUp, mostTries, pauseAfter, short } from './retries.ts';
import type { Content } from './texts.ts';

export interface Outgoing {
  row: SendDocument;
  to: string;
  content: Content;
  /** Whether its text is kept when it has no provider. */
  keepsText: boolean;
}

export interface Sent {
  row: SendDocument;
  state: 'sent' | 'refused' | 'unknown' | 'waiting';
  reason?: string;
  provider?: string;
  /** While it waits. */
  due?: Date;
  outbox?: string;
  /** It was not sent: this try does not count. */
  tries?: number;
}

/** `undefined`: it has no provider, so it is kept. */
export type Hand = (
  ws: string,
  channel: Channel,
  to: string,
  message: { id: string; person: string; content: Content },
) => Promise<Answer | undefined>;

const firstPauseMs = 5_000;
const mostOutboxBytes = 64 * 1024;

const outboxOf = ({ to, content }: Outgoing): string =>
  JSON.stringify({ ...(to !== '' && { to }), ...content });

const kept = (outgoing: Outgoing): Omit<Sent, 'row'> => {
  if (!outgoing.keepsText) return { state: 'sent' };
  const outbox = outboxOf(outgoing);
  return Buffer.byteLength(outbox) > mostOutboxBytes
    ? { state: 'refused', reason: 'it is larger than 64 KB, and has no provider' }
    : { state: 'sent', outbox };
};

const outcomeOf = (outgoing: Outgoing, answer: Answer | undefined, now: Date): Omit<Sent, 'row'> => {
  if (!answer) return kept(outgoing);
  const { tries } = outgoing.row;
  switch (answer.state) {
    case 'sent':
      return { state: 'sent', ...(answer.id !== undefined && { provider: short(answer.id) }) };
    case 'later':
      return tries < mostTries
        ? {
            state: 'waiting',
            reason: short(answer.reason),
            due: new Date(now.getTime() + pauseAfter(tries, firstPauseMs, answer.afterMs)),
          }
        : { state: 'refused', reason: givenUp(tries, answer.reason) };
    default:
      return { state: answer.state, reason: short(answer.reason) };
  }
};

/** Its turn has taken too long to begin with it: it is the next one's. */
export const notSent = ({ row }: Outgoing): Sent => ({
  row,
  state: 'waiting',
  due: new Date(),
  tries: row.tries - 1,
});

export const sendOne = async (outgoing: Outgoing, hand: Hand): Promise<Sent> => {
  const { row, to, content } = outgoing;
  const message = { id: row._id, person: row.profile, content };
  const answer = await hand(row.ws, row.channel, to, message).catch(
    (error: Error): Answer => ({ state: 'unknown', reason: error.message }),
  );
  return { row, ...outcomeOf(outgoing, answer, new Date()) };
};
