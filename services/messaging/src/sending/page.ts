/** The next recipients of a delivery: those who are listed, or a page of an audience, in the order of their service ids. */
import { readAll } from '@roster/audience';
import { pointsOfPerson, pointsOfVisits, type Recipients } from '@roster/contract';
import type { AudienceLook, DeliveryDocument, Store } from '@roster/store';
import { createListed, isListed, keptOf, type ListedStore } from './listed.ts';
import { createScans, type ScanBudget } from './scans.ts';
import type { SettingsOfSender } from './settings.ts';

export interface RecipientPage {
  ids: string[];
  /** The next page begins after this one. */
  cursor: string;
  isLast: boolean;
  /** The workspace has to wait before more people are looked for. */
  isLater?: boolean;
}

const idsIn = (listed: ReadonlyMap<string, string[]>): string[] => [...new Set([...listed.values()].flat())];

/** Whoever of them is no longer there is left out when the people are read. */
const someOf = (ids: readonly string[], cursor: string, most: number): RecipientPage => {
  const left = ids.filter((id) => id > cursor).toSorted();
  const page = left.slice(0, most);
  return { ids: page, cursor: page.at(-1) ?? cursor, isLast: page.length === left.length };
};

/** Of one page: people who are looked at, and points (about 0.1 s of CPU in MongoDB). One person is always looked at. */
export const pageLimits = { people: 1000, points: 1000 };

/** People of the first look for a page; each further one has so many times more, so that a page which is soon full costs little. */
const first = 16;
const growth = 4;

const pointsOfSample = 1;

type PageQuestion = Pick<AudienceLook, 'ws' | 'audiences' | 'among'>;

export interface PageOptions {
  store: ListedStore & Pick<Store, 'audiences'>;
  settingsOf: SettingsOfSender;
  scanBudget: ScanBudget;
}

/** Looks further and further until the page is full, its bounds are reached, or the workspace cannot pay. */
const createReadPage =
  ({ store: { audiences }, scanBudget: { pay, owe } }: PageOptions) =>
  async (question: PageQuestion, after: string, room: number): Promise<RecipientPage> => {
    const { ws } = question;
    let page: RecipientPage = { ids: [], cursor: after, isLast: false };
    // How large the profiles are is read as well.
    if (!(await pay(ws, pointsOfSample))) return { ...page, isLater: true };
    const each = pointsOfPerson(
      await audiences.bytesOf({ ...question, after }),
      readAll(question.audiences).filters,
    );
    const { people: most, points } = pageLimits;
    let left = each === 0 ? most : Math.min(most, Math.max(1, Math.floor(points / each)));
    for (let people = Math.max(first, room); !page.isLast && left > 0; people *= growth) {
      const some = Math.min(people, left);
      if (!(await pay(ws, Math.ceil(some * each)))) return { ...page, isLater: true };
      const look = { ...question, after: page.cursor, people: some, most: room - page.ids.length };
      const { ids, last, isLast, visits } = await audiences.look(look);
      if (visits > 0) await owe(ws, pointsOfVisits(visits));
      page = { ids: [...page.ids, ...ids], cursor: last, isLast };
      if (page.ids.length >= room) break;
      left -= some;
    }
    return page;
  };

const upTo = (page: RecipientPage, cursor: string): RecipientPage => ({
  ...page,
  ids: page.ids.filter((id) => id <= cursor),
  cursor,
  isLast: false,
});

/** Of listed people, those who were merged before they were looked for. Each is on the page if the kept person is in the audience; `followMerges` makes one of them. */
const createWithMerged =
  ({ store }: PageOptions, readPage: ReturnType<typeof createReadPage>) =>
  async (found: RecipientPage, question: PageQuestion & { among: string[] }, after: string, room: number) => {
    const left = question.among.filter((id) => id > after).toSorted();
    const passed = left.filter((id) => (found.isLast || id <= found.cursor) && !found.ids.includes(id));
    const kept = await keptOf(store, question.ws, passed);
    let page = found;
    for (const id of passed) {
      const person = kept.get(id);
      if (person === undefined) continue;
      const { ids, isLater } = await readPage({ ...question, among: [person] }, '', 2);
      if (isLater) return { ...upTo(page, left[left.indexOf(id) - 1] ?? after), isLater };
      if (ids.length > 0) page = { ...page, ids: [...page.ids, id].toSorted() };
    }
    return page.ids.length > room ? upTo(page, page.ids[room - 1] ?? after) : page;
  };

export const createNextPage = (options: PageOptions) => {
  const { store, settingsOf } = options;
  const readPage = createReadPage(options);
  const withMerged = createWithMerged(options, readPage);
  const scans = createScans();
  const listed = createListed(store);

  /** What is asked for, each by itself: a segment, an audience, or both. */
  const askedFor = async (ws: string, { segment_id, audience }: Recipients) => {
    const { segments } = await settingsOf(ws);
    const segment = segments.find(({ id }) => id === segment_id);
    if (segment_id !== undefined && !segment) return undefined;
    return [segment?.audience, audience].filter((one) => one !== undefined);
  };

  /** At most so many. A page may have nobody on it and not be the last one. */
  return async (
    { ws, created, cursor = '' }: Pick<DeliveryDocument, 'ws' | 'created' | 'cursor'>,
    recipients: Recipients,
    room: number,
  ): Promise<RecipientPage> => {
    const audiences = await askedFor(ws, recipients);
    // The segment was removed meanwhile: nobody is in it.
    if (!audiences) return { ids: [], cursor, isLast: true };
    const among = isListed(recipients) ? idsIn(await listed({ ws, created }, recipients)) : undefined;
    if (among && audiences.length === 0) return someOf(among, cursor, room);
    const page = await scans(ws, async () => {
      if (!among) return readPage({ ws, audiences }, cursor, room);
      const question = { ws, audiences, among };
      return withMerged(await readPage(question, cursor, room), question, cursor, room);
    });
    return page ?? { ids: [], cursor, isLast: false, isLater: true };
  };
};
