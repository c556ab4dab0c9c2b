/** A service id whose profile was merged away still leads to the kept profile. */
import type { AcceptedRequest, OperationId } from '@roster/contract';
import { useTrack } from './testbed.ts';

const { apply, ...bed } = useTrack();

const absorbing = async (): Promise<{ ada: string; gone: string }> => {
  const ada = bed.uniqueId();
  await bed.track({ external_id: ada });
  const gone = `gone-${ada}`;
  await bed.absorb(ada, gone);
  return { ada, gone };
};

const resultsOf = async (...requests: AcceptedRequest[]): Promise<string[]> =>
  (await apply(requests)).flatMap((result) => Object.values(result?.entries ?? {}).flat());

it.each<OperationId>(['users.track', 'users.track.bulk', 'users.track.sync'])(
  'in %s: attributes, events and purchases',
  async (op) => {
    const { ada, gone } = await absorbing();
    const sent = [
      bed.attributes({ service_id: gone, first_name: 'Ada', visits: { inc: 2 } }),
      bed.events({ service_id: gone }),
      bed.purchases({ service_id: gone }),
    ];
    const results = await resultsOf(...sent.map((request) => ({ ...request, op })));
    expect(results).toEqual(['updated', 'updated', 'updated']);
    expect(await bed.storedOf(ada)).toMatchObject({
      fields: { first_name: { v: 'Ada' } },
      custom: [{ k: 'visits', v: 2 }],
    });
    expect([await bed.eventsOf(ada), await bed.purchasesOf(ada)].map(({ length }) => length)).toEqual([1, 1]);
  },
);

it('in one batch with requests by other identifiers, and never for another workspace', async () => {
  const { ada, gone } = await absorbing();
  const elsewhere = { ...bed.attributes({ service_id: gone, first_name: 'Eve' }), ws: 'other' };
  const results = await resultsOf(
    bed.attributes({ external_id: ada, visits: { inc: 1 } }),
    bed.attributes({ service_id: gone, visits: { inc: 1 } }),
    elsewhere,
    bed.events({ service_id: 'never-given' }),
  );
  expect(results).toEqual(['updated', 'updated', 'ignored:no_such_user', 'ignored:no_such_user']);
  expect(await bed.storedOf(ada)).toMatchObject({ fields: {}, custom: [{ k: 'visits', v: 2 }] });
});
