/** Google's servers for tests: give tokens for what the key of the account has signed, and take pushes with such a token. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGoogle } from '@roster/testkit';
import type { Whole } from './system.ts';

const file = 'e2e-firebase.json';

/** For the tests of a file; every token in `dead` is of no device. */
export const useFcm = (whole: Pick<Whole, 'credentials'>, dead: ReadonlySet<string>) => {
  let google: Awaited<ReturnType<typeof openGoogle>>;
  beforeAll(async () => {
    google = await openGoogle();
    google.state.dead = dead;
    writeFileSync(join(whole.credentials, file), JSON.stringify(google.account));
  });
  afterAll(() => google.close());
  return {
    got: () => google.got,
    /** Of an app whose pushes go there. */
    channels: () => ({ droid_push: { account: { file }, url: google.url } }),
  };
};
