/** What became of an update at each device, as `GET /requests/{id}` tells it. */
import type { ActivityDocument, Session, Store } from '@roster/store';

export type Update = NonNullable<ActivityDocument['update']>;

export interface Done {
  token: string;
  state: 'sent' | 'refused' | 'unknown' | 'overtaken';
  reason?: string;
  id?: string;
}

export const doneIn = ({ done }: Pick<Update, 'done'>): Done[] => JSON.parse(done);

/** Enough to know a device by. */
const shownToken = (token: string): string => `...${token.slice(-8)}`;

export const bodyOf = (done: readonly Done[]) => ({
  message: 'success',
  devices: done.map(({ token, ...result }) => ({ device: shownToken(token), ...result })),
});

/** Those without a result will never get this update: a later one has come. */
export const withOvertaken = (done: readonly Done[], tokens: readonly string[]): Done[] => {
  const has = new Set(done.map(({ token }) => token));
  const others = tokens.filter((token) => !has.has(token));
  return [...done, ...others.map((token): Done => ({ token, state: 'overtaken' }))];
};

export const tell = async (
  { requests }: Pick<Store, 'requests'>,
  session: Session,
  request: string,
  done: readonly Done[],
): Promise<void> => {
  const body = JSON.stringify(bodyOf(done));
  await requests.updateOne(
    { _id: request, answer: { $exists: true } },
    { $set: { 'answer.body': body } },
    { session },
  );
};
