/** A choice as a request of the subscription rules: accepted like any other, with its outcome and its row in the history of consent. */
import {
  fingerprint,
  type pageActions,
  type SubscriptionSet,
  type SubscriptionSetGroup,
} from '@roster/contract';
import { type Producer, type Submission, Unavailable } from '@roster/queue';
import type { Link } from '../links/link.ts';
import type { Choice } from './form.ts';

export interface Submitted extends Pick<Link, 'ws' | 'center' | 'person'> {
  action: (typeof pageActions)[number];
  choice: Choice;
  /** The token of the form: the same form with the same choice is applied once. */
  once?: string;
}

/** `applied`: it has effect. `queued`: it is kept, and will have. `away`: there is no room for it, it can't be applied as things are, or nobody knows; it can be said again. */
export type Submitting = 'applied' | 'queued' | 'away';

/** So long a person waits for the effect; whatever is not applied by then is applied later. */
const waitMs = 3000;

const statementsIn = ({ choice, person }: Submitted): SubscriptionSetGroup[] => {
  const service_ids = [person];
  const { emails, groups } = choice;
  return [
    ...(emails === undefined ? [] : [{ subscription_state: emails, service_ids }]),
    ...[...groups].map(([subscription_group_id, subscription_state]) => ({
      subscription_group_id,
      subscription_state,
      service_ids,
    })),
  ];
};

/** A request of the subscription rules. `keyOf`: its idempotency key, if it has one, by the fingerprint of what is said. */
export const subscriptionOf = (
  ws: string,
  said: SubscriptionSet,
  keyOf?: (print: string) => string,
): Submission => {
  const body = Buffer.from(JSON.stringify(said));
  const print = fingerprint(body);
  return {
    ws,
    op: 'subscription.status.set.v2',
    family: 'subscription',
    content: {},
    body,
    entries: said.subscription_groups.length,
    ...(keyOf && { idempotency: { key: keyOf(print), fingerprint: print } }),
    waitMs,
  };
};
/** The choice is a part of the key: who goes back and chooses something else says something new. */
const submissionOf = (submitted: Submitted): Submission => {
  const { ws, center, action, once } = submitted;
  const page = { action, preference_center_api_id: center };
  const said = { subscription_groups: statementsIn(submitted), page };
  return subscriptionOf(ws, said, once === undefined ? once : (print) => `page:${once}:${print}`);
};

const handOver = async (commit: Producer['commit'], submission: Submission): Promise<Submitting> => {
  const committed = await commit(submission);
  if (committed.state === 'full') return 'away';
  // A conflict would take two choices with one fingerprint.
  if (committed.state !== 'queued') return 'applied';
  const reply = await committed.reply;
  if (!reply) return 'queued';
  if (reply.status >= 300) return 'away';
  // Only what has effect is remembered: the same form, sent again meanwhile, waits for it again, and is applied once.
  committed.remember({ status: 201, body: '' });
  return 'applied';
};

export const commitTo = ({ commit }: Pick<Producer, 'commit'>, submission: Submission): Promise<Submitting> =>
  handOver(commit, submission).catch((error: unknown) => {
    if (error instanceof Unavailable) return 'away';
    throw error;
  });

export type Submit = (submitted: Submitted) => Promise<Submitting>;

export const createSubmit =
  (producer: Pick<Producer, 'commit'>): Submit =>
  (submitted) =>
    commitTo(producer, submissionOf(submitted));
