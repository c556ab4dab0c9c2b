import type { DeliveryDocument, SendDocument } from '@roster/store';
import type { Tools } from '../act.ts';
import type { Result } from '../result.ts';
import { number, table } from '../shown.ts';
import { chosenWorkspace } from './workspace.ts';

export interface Options {
  workspace?: string;
  dispatch?: string;
  state?: string;
  /** How many lines. */
  most: number;
}

const states = ['waiting', 'sending', 'sent', 'refused', 'skipped', 'unknown'] as const;

const deliveryLine = ({ dispatch, channel, began, ended, counts }: DeliveryDocument): string[] => [
  dispatch,
  channel,
  began.toISOString(),
  ended?.toISOString() ?? '-',
  ...states.map((state) => number(counts[state])),
];

const listDeliveries = async ({ servers }: Tools, ws: string, { most }: Options): Promise<Result> => {
  const { messages } = await servers.store();
  const found = await messages.deliveries
    .find({ ws }, { sort: { began: -1 }, limit: most, projection: { message: 0, recipients: 0 } })
    .toArray();
  const heads = ['DISPATCH', 'CHANNEL', 'BEGAN', 'ENDED', ...states.map((state) => state.toUpperCase())];
  return {
    json: found.map(({ dispatch, channel, schedule, began, ended, counts }) => ({
      dispatch,
      channel,
      schedule,
      began,
      ended: ended ?? null,
      counts,
    })),
    text: table(heads, found.map(deliveryLine)),
  };
};

const sendLine = ({ _id, state, at, reason = '', outbox }: SendDocument): string[] => [
  _id,
  outbox === undefined ? state : `${state}, kept`,
  at.toISOString(),
  reason,
];

export const list = async (tools: Tools, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(tools.servers, options);
  const { dispatch, state, most } = options;
  if (dispatch === undefined) return listDeliveries(tools, ws, options);
  const { messages } = await tools.servers.store();
  const found = await messages.sends
    .find(
      {
        _id: { $gt: `${dispatch}/`, $lt: `${dispatch}0` },
        ws,
        ...(state && { state: state as SendDocument['state'] }),
      },
      { sort: { _id: 1 }, limit: most },
    )
    .toArray();
  return {
    json: found.map(({ _id, outbox, ...row }) => ({ id: _id, ...row, kept: outbox !== undefined })),
    text: table(['ID', 'STATE', 'SINCE', 'REASON'], found.map(sendLine)),
  };
};
