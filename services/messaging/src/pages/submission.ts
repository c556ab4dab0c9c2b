/** A choice as a request of the subscription rules: accepted like any other, with its outcome and its row in the history of consent. */
import {
  fingerprint,
  type pageActions,
  type SubscriptionSet,
  type SubscriptionSetGroup,
} from '@roster/contract';
import type { Commit, Producer, Submission } from '@roster/queue';
import type { Link } from '../links/link.ts';
import type { Choice } from './form.ts';

export interface Submitted extends Pick<Link, 'ws' | 'center' | 'person'> {
  action: (typeof pageActions)[number];
  choice: Choice;
  /** The token of the form: the same form with the same choice is applied once. */
  once?: string;
}

/** `applied`: it has effect. `queued`: it is kept, and will have. `failed`: it can't be applied as things are. */
export type Submitting = 'applied' | 'queued' | 'failed' | 'full';

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

export const resultOf = async (commit: Commit): Promise<Submitting> => {
  if (commit.state === 'full') return 'full';
  // A conflict would take two choices with one fingerprint.
  if (commit.state !== 'queued') return 'applied';
  const reply = await commit.reply;
  if (!reply) return 'queued';
  if (reply.status >= 300) return 'failed';
  // Only what has effect is remembered: the same form, sent again meanwhile, waits for it again, and is applied once.
  commit.remember({ status: 201, body: '' });
  return 'applied';
};

/** Throws `Unavailable` when nobody can say whether it was kept: the person sends the form again, and it is applied once. */
export type Submit = (submitted: Submitted) => Promise<Submitting>;

export const createSubmit =
  ({ commit }: Pick<Producer, 'commit'>): Submit =>
  async (submitted) =>
    resultOf(await commit(submissionOf(submitted)));
