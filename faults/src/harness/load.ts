// The usual load: mixed requests at a steady rate, each sent again with its key until it is accepted.
import { type Book, openBook, sendOnce, sendUntilAccepted } from './book.ts';
import { createPace } from './pace.ts';
import type { Chapter } from './story.ts';
import type { System } from './system.ts';
import { eachOf, sleep } from './wait.ts';

/** A sender that got no answer waits before its next request. */
const pauseMs = 250;

export interface Pace {
  perSecond: number;
  /** So many senders at once. */
  hands: number;
}

export const sendStory = async (
  { client }: Pick<System, 'client'>,
  chapters: readonly Chapter[],
  { perSecond, hands }: Pace,
  book = openBook<Chapter>(),
): Promise<Book<Chapter>> => {
  const pace = createPace(perSecond);
  await eachOf(chapters, hands, async (chapter) => {
    await pace();
    await sendUntilAccepted(client, book, chapter);
  });
  return book;
};

/** Each once, for as long as the work lasts; gives those that were sent and not accepted: their callers don't know. */
export const sendDuring = async (
  { client }: Pick<System, 'client'>,
  book: Book<Chapter>,
  chapters: readonly Chapter[],
  { perSecond, hands }: Pace,
  work: Promise<unknown>,
): Promise<Chapter[]> => {
  const unknown: Chapter[] = [];
  const pace = createPace(perSecond);
  let over = false;
  const sending = eachOf(chapters, hands, async (chapter) => {
    if (over) return;
    await pace();
    if (await sendOnce(client, book, chapter)) return;
    unknown.push(chapter);
    await sleep(pauseMs);
  });
  try {
    await work;
  } finally {
    over = true;
    await sending;
  }
  return unknown;
};

/** A caller without an answer sends the same request with the same key. */
export const sendAgain = (
  { client }: Pick<System, 'client'>,
  book: Book<Chapter>,
  unknown: readonly Chapter[],
): Promise<void> => eachOf(unknown, 20, (chapter) => sendUntilAccepted(client, book, chapter));
