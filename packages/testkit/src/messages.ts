/** What is stored of messages that are sent: a delivery, and each of its recipients. */
import type { DeliveryDocument, SendDocument } from '@roster/store';

export const noCounts = { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 };

export const aDelivery = (more: Partial<DeliveryDocument> = {}): DeliveryDocument => {
  const { ws = 'demo', channel = 'webhook' } = more;
  return {
    _id: `${ws}/${channel}`,
    ws,
    lane: `${ws}/${channel}`,
    channel,
    recipients: '{}',
    time: '',
    created: 1,
    dispatch: ws,
    schedule: ws,
    message: '{}',
    read: false,
    counts: { ...noCounts },
    due: new Date(0),
    began: new Date(0),
    planned: new Date(0),
    ...more,
  };
};

/** One recipient of a delivery, who has got it. */
export const aSend = (
  profile: string,
  { _id, ws, channel }: Pick<DeliveryDocument, '_id' | 'ws' | 'channel'>,
  more: Partial<SendDocument> = {},
): SendDocument => ({
  _id: `${_id}/${profile}`,
  ws,
  delivery: _id,
  profile,
  channel,
  state: 'sent',
  at: new Date(),
  tries: 1,
  expires: new Date(Date.now() + 1e9),
  ...more,
});
