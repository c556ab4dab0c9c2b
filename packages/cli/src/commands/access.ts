import { everythingIn, refreshCopy } from '@roster/access';
import type { Family, Tools } from '../command.ts';
import type { Result } from '../result.ts';

const publishAccess = async ({ servers }: Tools): Promise<Result> => {
  const [store, redis] = [await servers.store(), await servers.redis()];
  const changes = await refreshCopy(redis, () => everythingIn(store));
  return {
    json: { changed: changes },
    text: `put right: ${changes.keys} keys, ${changes.workspaces} workspaces\n`,
  };
};

const help = `
The ingress serves keys and settings from a copy in Redis. Every command keeps it up to date and the monitor checks it
twice a minute; this does so at once, for instance after Redis was emptied.`;

export const accessCommands: Family = {
  about: 'the copy of keys and workspaces from which the ingress serves',
  example: 'roster access publish',
  commands: { publish: { about: 'make the copy in Redis anew from MongoDB', help, run: publishAccess } },
};
