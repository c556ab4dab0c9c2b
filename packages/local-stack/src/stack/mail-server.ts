/** Whether emails of the demo workspace leave: an app of it may have a mail server. */
import { cliScript } from './checkout.ts';
import type { Stack } from './running.ts';
import { roster } from './setup.ts';

interface Settings {
  apps?: { channels?: { email?: unknown; sms?: unknown } }[];
}

export const hasMailServer = ({ apps = [] }: Settings): boolean =>
  apps.some(({ channels }) => channels?.email !== undefined);

/** A stack that cannot tell (another version of the settings, a workspace that was renamed) is still up. */
export const isMailServerSet = async ({ workspace, ...stack }: Stack): Promise<boolean> => {
  const env = {
    ...process.env,
    ROSTER_HOME: stack.dir,
    REDIS_URL: stack.redisUrl,
    MONGO_URL: stack.mongoUrl,
  };
  const cli = { script: cliScript(), env: { ...env, ROSTER_SECRET: stack.secret } };
  try {
    const [answer = '{}'] = await roster(cli, [['workspace', 'show', workspace]]);
    return hasMailServer(JSON.parse(answer) as Settings);
  } catch {
    return false;
  }
};
