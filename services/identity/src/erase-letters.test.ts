import { type AcceptedRequest, type OperationId, operationById, type QueueFamily } from '@roster/contract';
import { tokenKey } from '@roster/profile';
import { createDeadLetters, type DeadLetters } from '@roster/queue';
import { useRedis } from '@roster/testkit';
import { createLetterEraser, type EraseLetters } from './erase-letters.ts';
import { request, uniqueId, useIdentity } from './testbed.ts';

const { store, send, ...bed } = useIdentity();
const { redis } = useRedis(() => letters.close());
const letters = createDeadLetters(redis);
let eraseLetters: EraseLetters;
beforeAll(() => {
  eraseLetters = createLetterEraser(store, letters);
});
beforeEach(() => redis.flushdb());

const familyOf = (op: OperationId): QueueFamily => operationById(op)?.queue ?? 'identity';

const plant = async (op: OperationId, body: object): Promise<string> => {
  const sent: AcceptedRequest = request(op, body);
  await letters.add({ id: sent.id, queue: familyOf(op), code: 'X', reason: 'x', at: 'now', request: sent });
  return sent.id;
};

const bodyOf = async (id: string): Promise<unknown> => (await letters.get(id))?.request.body;

const aToken = () => ({ app_id: 'app', token: uniqueId() });

/** A person with an identifier of every kind. */
const person = async () => {
  const id = uniqueId();
  const token = aToken();
  const email = `${id}@example.com`;
  const phone = `+49309018${id.replace(/\D/g, '').padStart(3, '0')}`;
  const k = tokenKey(token.app_id, token.token);
  const { _id: serviceId } = await bed.person({
    external_id: id,
    aliases: { web: id },
    email,
    phone,
    more: { token_keys: [k], lists: { push_tokens: { items: [{ k, v: token, at: 1 }] } } },
  });
  return { id, email, phone, token, serviceId };
};

/** The sweeper does the same. */
const eraseDeleted = async (...external_ids: string[]): Promise<void> => {
  await send('users.delete', { external_ids });
  await eraseLetters(await store.sweeps.find({}).toArray());
  await store.sweeps.deleteMany({});
};

const alias = (name: string) => ({ alias_label: 'web', alias_name: name });

describe('deleted people are removed from dead letters', () => {
  it('of subscription states, name by name, of both endpoints', async () => {
    const [ada, bob] = [await person(), await person()];
    const first = await plant('subscription.status.set', {
      subscription_group_id: 'news',
      subscription_state: 'unsubscribed',
      external_id: [ada.id, bob.id],
      email: [ada.email.toUpperCase(), bob.email],
    });
    const gone = await plant('subscription.status.set', {
      subscription_group_id: 'alerts',
      subscription_state: 'unsubscribed',
      phone: ada.phone,
    });
    const second = await plant('subscription.status.set.v2', {
      subscription_groups: [
        { subscription_group_id: 'news', subscription_state: 'subscribed', emails: [ada.email] },
        {
          subscription_group_id: 'alerts',
          subscription_state: 'subscribed',
          external_ids: [bob.id, ada.id],
          phones: [bob.phone, ada.phone],
        },
      ],
    });
    await eraseDeleted(ada.id);
    expect(await bodyOf(first)).toEqual({
      subscription_groups: [
        {
          subscription_group_id: 'news',
          subscription_state: 'unsubscribed',
          external_ids: [bob.id],
          emails: [bob.email],
        },
      ],
    });
    expect(await letters.get(gone)).toBeUndefined();
    expect(await bodyOf(second)).toMatchObject({
      subscription_groups: [{ emails: [] }, { external_ids: [bob.id], phones: [bob.phone] }],
    });
  });

  it('of imports of push tokens, which have no identifier', async () => {
    const [ada, other] = [await person(), aToken()];
    const imports = (...push_tokens: object[]) => ({ push_token_import: true, push_tokens });
    const mixed = await plant('users.track', {
      attributes: [imports(other), imports(aToken(), ada.token)],
    });
    const gone = await plant('users.track', { attributes: [imports(ada.token)] });
    await eraseDeleted(ada.id);
    expect(await bodyOf(mixed)).toMatchObject({ attributes: [{ push_tokens: [other] }, 'ERASED'] });
    expect(await letters.get(gone)).toBeUndefined();
  });

  type Someone = Awaited<ReturnType<typeof person>>;
  it.each<[OperationId, string, (one: Someone) => unknown]>([
    ['users.alias.new', 'user_aliases', ({ id }) => alias(id)],
    [
      'users.identify',
      'emails_to_identify',
      ({ email }) => ({ external_id: uniqueId(), email, prioritization: ['identified'] }),
    ],
    ['users.delete', 'service_ids', ({ serviceId }) => serviceId],
    ['users.delete', 'phone_numbers', ({ phone }) => ({ phone, prioritization: ['identified'] })],
    ['users.external_ids.remove', 'external_ids', ({ id }) => id],
  ])('of %s by %s, entry by entry', async (op, array, entryOf) => {
    const [ada, bob] = [await person(), await person()];
    const sent = (...people: Someone[]) => plant(op, { [array]: people.map(entryOf) });
    const [mixed, gone] = [await sent(ada, bob), await sent(ada)];
    await eraseDeleted(ada.id);
    expect(await letters.get(gone)).toBeUndefined();
    const left = (await bodyOf(mixed)) as Record<string, unknown[]>;
    expect(left[array]).toEqual(['ERASED', expect.any(Object)]);
    for (const mark of [`"${ada.id}"`, ada.email, ada.phone, ada.serviceId])
      expect(JSON.stringify(left)).not.toContain(mark);
  });
});

describe('every letter is read', () => {
  const event = (external_id: string) => ({ events: [{ external_id, name: 'seen', time: '2026-01-01' }] });

  it('although operators retry and drop letters meanwhile', async () => {
    const [ada, bob] = [await person(), await person()];
    const others: string[] = [];
    for (let n = 0; n < 150; n++) others.push(await plant('users.track', event(bob.id)));
    for (let n = 0; n < 150; n++) await plant('users.track', event(ada.id));
    const dropping: DeadLetters = {
      ...letters,
      async get(id) {
        const letter = await letters.get(id);
        if (id === others[99]) for (const one of others) await letters.drop(one);
        return letter;
      },
      async list(range) {
        const page = await letters.list(range);
        for (const one of others.splice(0)) await letters.drop(one);
        return page;
      },
    };
    eraseLetters = createLetterEraser(store, dropping);
    await eraseDeleted(ada.id);
    expect(await letters.count()).toBe(0);
  });
});
