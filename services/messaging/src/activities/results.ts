/** What became of an update at each device, as `GET /requests/{id}` tells it. */
import type { ActivityDocument, Session, Store } from '@roster/store';

export type Update = NonNullable<ActivityDocument['update']>;
type Devices = ActivityDocument['devices'];

export interface Done {
  token: string;
  state: 'sent' | 'refused' | 'unknown' | 'superseded';
  reason?: string;
  id?: string;
}

/** The reason in the outcome of an update that another one came before, and the state of the devices that did not get it. */
export const superseded = 'superseded';

export const doneIn = ({ done }: Pick<Update, 'done'>): Done[] => JSON.parse(done);

/** Enough to know a device by. */
const shownToken = (token: string): string => `...${token.slice(-8)}`;

export const shownDevice = ({ token, ...result }: { token: string; state: string }) => ({
  device: shownToken(token),
  ...result,
});

export const bodyOf = (done: readonly Done[]) => ({ message: 'success', devices: done.map(shownDevice) });

/** Those without a result will never get this update: a later one has come. */
export const withSuperseded = (done: readonly Done[], devices: Devices): Done[] => {
  const has = new Set(done.map(({ token }) => token));
  const others = devices.filter(({ token }) => !has.has(token));
  return [...done, ...others.map(({ token }): Done => ({ token, state: superseded }))];
};

export const tell = async ({ requests }: Store, session: Session, request: string, done: readonly Done[]) => {
  const $set = { 'answer.body': JSON.stringify(bodyOf(done)) };
  const isSuperseded = done.some(({ state }) => state === superseded);
  await requests.updateOne(
    { _id: request, answer: { $exists: true } },
    isSuperseded ? { $set: { ...$set, reason: superseded } } : { $set, $unset: { reason: 1 } },
    { session },
  );
};
