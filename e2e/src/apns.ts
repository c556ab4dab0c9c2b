/** APNs for tests, with a token of no device: takes pushes that are signed by the key that the services have, and keeps them. */
import { appleKey, openApns } from '@roster/testkit';

// Read by the services when they start, which is after this line.
process.env.ROSTER_CREDENTIAL_E2E_APNS = appleKey.key;

/** A token of no device. */
export const dead = 'dead'.repeat(16);

/** The id of a broadcast channel. */
export const channel = 'dHN0LXNyY2gtY2hubA==';

/** For the tests of a file. */
export const useApns = () => {
  let apns: Awaited<ReturnType<typeof openApns>>;
  beforeAll(async () => {
    apns = await openApns();
    apns.state.channels.set(channel, 0);
    apns.state.answer = (stream, _, headers) =>
      headers[':path']?.endsWith(dead)
        ? apns.refuse(stream, [400, 'BadDeviceToken'])
        : void apns.take(stream, headers);
  });
  afterAll(() => apns.close());
  return {
    got: () => apns.got,
    broadcasts: () => apns.broadcasts,
    /** Of an app whose pushes go there. */
    channels: () => ({
      ios_push: { ...appleKey, key: { env: 'ROSTER_CREDENTIAL_E2E_APNS' }, url: apns.url },
    }),
  };
};
