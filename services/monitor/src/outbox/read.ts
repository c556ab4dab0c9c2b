/** What the outbox shows: deliveries and their recipients, some at a time. */
import { parseExact, present } from '@roster/contract';
import {
  type DeliveryDocument,
  externalIdsOf,
  recipientName,
  type SendDocument,
  type ShownState,
  type Store,
  shownReason,
  shownState,
} from '@roster/store';

export const most = { deliveries: 10, shownOfEach: 5, recipients: 50, pages: 100 };

export interface Delivery
  extends Pick<
    DeliveryDocument,
    '_id' | 'ws' | 'channel' | 'began' | 'ended' | 'recipients' | 'counts' | 'kept'
  > {
  rows: Recipient[];
  /** Of the last one, when there are more. */
  next?: string;
}

export interface Recipient extends Pick<SendDocument, '_id' | 'ws' | 'channel' | 'at' | 'profile'> {
  /** Empty for a name that was erased. */
  person: string;
  state: ShownState;
  /** Also why and until when it waits. */
  reason?: string;
  /** What the provider said. */
  words?: string;
  /** The message, where it is stored. */
  kept?: Readonly<Record<string, unknown>>;
}

type Messages = Pick<Store, 'messages' | 'profiles'>;

const projection = { ws: 1, channel: 1, began: 1, ended: 1, recipients: 1, counts: 1, kept: 1 };

const recipientOf =
  (externalIds: ReadonlyMap<string, string>) =>
  (row: SendDocument): Recipient => {
    const { _id, ws, channel, at, profile, outbox, words } = row;
    return {
      ...{ _id, ws, channel, at, profile },
      person: recipientName(row, externalIds),
      state: shownState(row),
      ...present({ reason: shownReason(row), words }),
      ...(outbox !== undefined && { kept: parseExact(outbox) as Record<string, unknown> }),
    };
  };

const recipientsOf = async (store: Messages, rows: readonly SendDocument[]): Promise<Recipient[]> =>
  rows.map(recipientOf(await externalIdsOf(store, rows)));

const withRecipients = async (
  store: Messages,
  delivery: Omit<Delivery, 'rows'>,
  limit: number,
  after = `${delivery._id}/`,
): Promise<Delivery> => {
  // `0` follows `/`.
  const _id = { $gt: after, $lt: `${delivery._id}0` };
  const found = await store.messages.sends.find({ _id }, { sort: { _id: 1 }, limit: limit + 1 }).toArray();
  const rows = await recipientsOf(store, found.slice(0, limit));
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { ...delivery, rows, ...(last && { next: last._id }) };
};

/** The newest first. One more than is shown tells that there is another page. */
export const readDeliveries = async (store: Messages, ws: string, page: number): Promise<Delivery[]> => {
  const found = await store.messages.deliveries
    .find(
      { ws },
      { sort: { began: -1 }, skip: page * most.deliveries, limit: most.deliveries + 1, projection },
    )
    .toArray();
  return Promise.all(found.map((delivery) => withRecipients(store, delivery, most.shownOfEach)));
};

export const readDelivery = async (store: Messages, id: string, after: string | undefined) => {
  const found = await store.messages.deliveries.findOne({ _id: id }, { projection });
  const from = after?.startsWith(`${id}/`) ? after : undefined;
  return found ? withRecipients(store, found, most.recipients, from) : undefined;
};

export const readRecipient = async (store: Messages, id: string): Promise<Recipient | undefined> => {
  const found = await store.messages.sends.findOne({ _id: id });
  return found ? (await recipientsOf(store, [found]))[0] : undefined;
};
