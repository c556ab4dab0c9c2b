/** Who is next in a delivery: those whose process was lost, those whose time has come, and a page of its audience. */
import { parseExact, type Recipients } from '@roster/contract';
import type { DeliveryDocument, SendDocument, Store } from '@roster/store';
import { recipientsOf } from '../schedules/stored.ts';
import { createNextPage, type PageOptions, type RecipientPage } from './page.ts';
import type { Content } from './texts.ts';

/** What is being sent for longer than this has lost its process: each send ends earlier by itself. */
export const usualLostAfterMs = 60_000;

export interface Next {
  delivery: DeliveryDocument;
  recipients: Recipients;
  content: Content;
  lost: SendDocument[];
  waiting: SendDocument[];
  page: RecipientPage;
}

const noPage = ({ cursor = '', read }: DeliveryDocument): RecipientPage => ({
  ids: [],
  cursor,
  isLast: read,
});

/** With these people of its page: the others come next time. */
const cutTo = ({ delivery, page }: Next, ids: string[]): RecipientPage =>
  ids.length === page.ids.length ? page : { ids, cursor: ids.at(-1) ?? delivery.cursor ?? '', isLast: false };

/** Nobody after this one was read. */
export const upTo = (next: Next, last: string): Next => {
  const ids = next.page.ids.filter((id) => id <= last);
  const waiting = next.waiting.filter(({ profile }) => profile <= last);
  return { ...next, waiting, page: cutTo(next, ids) };
};

/** A workspace that has looked for too many people waits so long. */
const laterMs = 500;

/** Those who stand before this person. They are either a page or people who have waited. */
export const before = (next: Next, profile: string): Next => {
  const { page, waiting } = next;
  const [onPage, among] = [page.ids.indexOf(profile), waiting.findIndex((row) => row.profile === profile)];
  return {
    ...next,
    waiting: among < 0 ? waiting : waiting.slice(0, among),
    page: onPage < 0 ? page : cutTo(next, page.ids.slice(0, onPage)),
  };
};

export interface NextOptions extends PageOptions {
  store: Store;
  /** For fault tests, which do not wait a minute. */
  lostAfterMs?: number;
}

export const createNext = ({ store, lostAfterMs = usualLostAfterMs, ...options }: NextOptions) => {
  const { sends } = store.messages;
  const nextPage = createNextPage({ store, ...options });

  return {
    async of(delivery: DeliveryDocument, room: number, now: Date): Promise<Next> {
      const { _id, counts, read, message } = delivery;
      const before = new Date(now.getTime() - lostAfterMs);
      const [lost, waiting] = await Promise.all([
        counts.sending > 0
          ? sends.find({ delivery: _id, state: 'sending', at: { $lt: before } }, { limit: room }).toArray()
          : [],
        counts.waiting > 0
          ? sends.find({ delivery: _id, due: { $lte: now } }, { sort: { due: 1 }, limit: room }).toArray()
          : [],
      ]);
      const recipients = recipientsOf(delivery);
      const page = read || waiting.length > 0 ? noPage(delivery) : await nextPage(delivery, recipients, room);
      return { delivery, recipients, content: parseExact(message) as Content, lost, waiting, page };
    },

    /** When there is something to do, and whether nobody's time has come before: now if there are more people, else with the first who waits, or when what is being sent must have ended. */
    async due({ delivery, page, waiting }: Next, rows: readonly SendDocument[], now: Date) {
      const latest = now.getTime() + lostAfterMs + 1000;
      // A suspect is taken by nobody else until its turn is over.
      if (delivery.taken && delivery.taken > 1) return { due: new Date(latest), rests: false };
      if (!page.isLast) return { due: new Date(now.getTime() + (page.isLater ? laterMs : 0)), rests: false };
      const others = delivery.counts.waiting - waiting.length;
      const first =
        others > 0
          ? await sends.findOne(
              {
                delivery: delivery._id,
                due: { $exists: true },
                _id: { $nin: waiting.map(({ _id }) => _id) },
              },
              { sort: { due: 1 }, projection: { due: 1 } },
            )
          : null;
      const times = [...rows.flatMap(({ due }) => due ?? []), ...(first?.due ? [first.due] : [])];
      const next = Math.min(...times.map((time) => time.getTime()));
      return { due: new Date(Math.min(latest, next)), rests: times.length > 0 && next > now.getTime() };
    },
  };
};
