import { type Commit, type Submission, Unavailable } from '@roster/queue';
import { createSubmit, type Submitted } from './submission.ts';

const said: Submitted = {
  ws: 'demo',
  center: 'default',
  person: 'ada',
  action: 'preference_center.submit',
  choice: { emails: 'unsubscribed', groups: new Map([['news', 'subscribed']]) },
  once: 'form-1',
};

/** What the queue says to a submission, and what it is told to remember. */
const submitting = (commit: Partial<Extract<Commit, { state: 'queued' }>> | Commit) => {
  const sent: Submission[] = [];
  const remembered: unknown[] = [];
  const submit = createSubmit({
    async commit(submission) {
      sent.push(submission);
      const remember = (answer: unknown): void => void remembered.push(answer);
      return { state: 'queued', id: 'r1', at: 1, remember, ...commit } as Commit;
    },
  });
  return { submit, sent, remembered };
};

const replied = (status: number) => ({ reply: Promise.resolve({ status, body: '{}' }) });

const lost = {
  get reply(): never {
    throw new Unavailable('no Redis');
  },
};

describe('a choice on a page', () => {
  it('is remembered when it has effect', async () => {
    const { submit, remembered } = submitting(replied(201));
    expect(await submit(said)).toBe('applied');
    expect(remembered).toHaveLength(1);
  });

  it.each([
    ['queued', 'that is not applied in time', { reply: Promise.resolve(undefined) }],
    ['away', 'that could not be applied', replied(500)],
    ['away', 'for which there is no room', { state: 'full', most: 1 } as const],
    ['away', 'of which nobody knows', lost],
  ])('is %s, and asked for again when the form comes again, where it is one %s', async (state, _, commit) => {
    const { submit, remembered } = submitting(commit);
    expect(await submit(said)).toBe(state);
    expect(remembered).toEqual([]);
  });

  it('that had effect before is applied', async () => {
    const answer = { status: 201, body: '' };
    expect(await submitting({ state: 'replayed', id: 'r1', answer }).submit(said)).toBe('applied');
  });

  it('is one for each form and choice, and a statement of its own without a form', async () => {
    const { submit, sent } = submitting(replied(201));
    const { once: _, ...oneClick } = said;
    for (const one of [said, said, { ...said, choice: { groups: new Map() } }, oneClick]) await submit(one);
    const keys = sent.map(({ idempotency }) => idempotency?.key);
    expect([keys[0] === keys[1], keys[0] === keys[2], keys[3]]).toEqual([true, false, undefined]);
  });
});
