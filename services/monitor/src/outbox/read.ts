/** What the outbox shows: deliveries and their recipients, some at a time. */
import { parseExact } from '@roster/contract';
import {
  type DeliveryDocument,
  type SendDocument,
  type ShownState,
  type Store,
  shownState,
} from '@roster/store';

export const most = { deliveries: 10, shownOfEach: 5, recipients: 50, pages: 100 };

export interface Delivery
  extends Pick<DeliveryDocument, '_id' | 'ws' | 'channel' | 'began' | 'ended' | 'counts' | 'kept'> {
  recipients: Recipient[];
  /** Of the last one, when there are more. */
  next?: string;
}

export interface Recipient extends Pick<SendDocument, '_id' | 'ws' | 'channel' | 'at' | 'profile' | 'named'> {
  state: ShownState;
  reason?: string;
  /** The message, where it is stored. */
  kept?: Readonly<Record<string, unknown>>;
}

type Messages = Pick<Store, 'messages'>;

const projection = { ws: 1, channel: 1, began: 1, ended: 1, counts: 1, kept: 1 };

const recipientOf = ({ outbox, state, ...row }: SendDocument): Recipient => ({
  ...row,
  state: shownState({ ...row, state, ...(outbox !== undefined && { outbox }) }),
  ...(outbox !== undefined && { kept: parseExact(outbox) as Record<string, unknown> }),
});

const withRecipients = async (
  { messages }: Messages,
  delivery: Omit<Delivery, 'recipients'>,
  limit: number,
  after = `${delivery._id}/`,
): Promise<Delivery> => {
  // `0` follows `/`.
  const _id = { $gt: after, $lt: `${delivery._id}0` };
  const found = await messages.sends.find({ _id }, { sort: { _id: 1 }, limit: limit + 1 }).toArray();
  const recipients = found.slice(0, limit).map(recipientOf);
  const last = found.length > limit ? recipients.at(-1) : undefined;
  return { ...delivery, recipients, ...(last && { next: last._id }) };
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

export const readRecipient = async ({ messages }: Messages, id: string): Promise<Recipient | undefined> => {
  const found = await messages.sends.findOne({ _id: id });
  return found ? recipientOf(found) : undefined;
};
