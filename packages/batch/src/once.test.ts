import { type AcceptedRequest, Rejection } from '@roster/contract';
import { useStore } from '@roster/testkit';
import { createOnce, failedReply } from './once.ts';

const store = useStore();

const request: AcceptedRequest = {
  id: 'r0000001-00000000',
  ws: 'demo',
  op: 'messages.schedule.delete',
  at: 1_763_000_000_000_000,
  body: { schedule_id: 'x' },
};

it('a refusal says its case and what to do, also when it is asked for again', async () => {
  const once = createOnce(store);
  const message = 'The schedule can no longer be changed: it is sent';
  const refused = await once(request, () => Promise.reject(new Rejection('SCHEDULE_OVER', { message })));
  expect(refused).toMatchObject({
    status: 400,
    headers: {
      'X-Roster-Error': 'SCHEDULE_OVER',
      'X-Roster-Remedy': 'Create another schedule.',
      'X-Roster-Retry': 'false',
    },
  });
  expect(JSON.parse(refused.body)).toMatchObject({ message });
  const again = await once(request, async () => async () => ({ message: 'success' }));
  expect(again).toEqual(refused);
});

it('an answer that is kept, or failed for good, is not worth another try, whatever its status', async () => {
  const once = createOnce(store);
  const running = { ...request, id: 'r0000002-00000000' };
  const refused = await once(running, () => Promise.reject(new Rejection('SYNC_RUNNING')));
  expect(refused).toMatchObject({ status: 429, headers: { 'X-Roster-Retry': 'false' } });
  expect(failedReply(request)).toMatchObject({ status: 500, headers: { 'X-Roster-Retry': 'false' } });
});
