/** What somebody does with the installed client: the same in every runtime. The first answer to each write is lost on the way, with a 503 in its place. */
import {
  about,
  InvalidRequestError,
  NotFoundError,
  Roster,
  TimeoutError,
  WebhookError,
} from '@roster/client';

/** More events than one request takes. */
const events = 1000;
const people = 10;

const batchOf = async (roster, person) => {
  const batch = roster.batch({ wait: 30, maxEntries: 300 });
  const time = new Date().toISOString();
  const outcomes = Array.from({ length: events }, (_, n) =>
    batch.event({ external_id: `${person}-${n % people}`, name: 'seen', time }),
  );
  outcomes.push(batch.event({ external_id: person, name: 'seen', time: 'yesterday' }));
  await batch.close();
  const counts = {};
  for (const { state } of await Promise.all(outcomes)) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

const changesOf = async (roster, person) => {
  for (const email_subscribe of ['opted_in', 'unsubscribed', 'opted_in'])
    await roster.users.track({ attributes: [{ external_id: person, email_subscribe }] }, { wait: 30 });
  const changes = [];
  for await (const { to } of roster.subscription.history({ external_id: person, limit: 1 })) changes.push(to);
  return changes;
};

const errorOf = (call) =>
  call.then(
    () => undefined,
    (error) => error,
  );

/** `true` for each error that has its class. */
const errorsOf = async (roster, { silent, nowhere, key, webhook }) => {
  const impatient = new Roster({ url: silent, key, retryFor: 0, timeout: 0.3 });
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), 50);
  const aborted = new Roster({ url: silent, key }).requests.read('r1', { signal: leaving.signal });
  const [refused, missing, late, left, unanswered, forged] = await Promise.all([
    errorOf(roster.users.track({ events: [{ external_id: 'ada', name: '', time: 'now' }] })),
    errorOf(roster.requests.read('r0000000-000000')),
    errorOf(impatient.requests.read('r1')),
    errorOf(aborted),
    errorOf(new Roster({ url: nowhere, key, retryFor: 0 }).requests.read('r1')),
    errorOf(roster.webhooks.unwrap(`${webhook.text} `, webhook.headers)),
  ]);
  return {
    refused: refused instanceof InvalidRequestError && refused.code === 'NO_VALID_DATA',
    missing: missing instanceof NotFoundError && missing.code === 'REQUEST_NOT_FOUND',
    late: late instanceof TimeoutError,
    left: left?.name,
    unanswered: unanswered?.name,
    forged: forged instanceof WebhookError,
  };
};

export const look = async (place) => {
  const { url, key, person, webhook } = place;
  const roster = new Roster({ url, key, webhookSecret: webhook.secret });
  const body = { attributes: [{ external_id: person, first_name: 'Ada' }] };
  const answer = await roster.users.track(body, { wait: 30 });
  const { attempts, requestId } = about(answer);
  return {
    tracked: { state: answer.state, attempts },
    read: (await roster.requests.read(requestId)).state,
    batch: await batchOf(roster, person),
    changes: await changesOf(roster, person),
    webhook: (await roster.webhooks.unwrap(webhook.text, webhook.headers)).body,
    errors: await errorsOf(roster, place),
  };
};
