import { writePrivate } from '../servers/private-file.ts';
import type { Home } from './home.ts';
import type { Stack } from './running.ts';

const pidsOf = ({ processes }: Stack): Record<string, number> =>
  Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid]));

/** `local.json`: where the stack is, for programs and for `roster`. A missing part has no key. */
export const writeLocal = (home: Home, stack: Stack): void => {
  const { baseUrl, monitorUrl, apiKey, workspace, appId, emailGroup, smsGroup, redisUrl, mongoUrl } = stack;
  const { scimToken, scimOrigin } = stack;
  const dashboard = { scimToken, scimOrigin };
  const told = {
    baseUrl,
    monitorUrl,
    apiKey,
    workspace,
    appId,
    emailGroup,
    smsGroup,
    redisUrl,
    mongoUrl,
    ...dashboard,
  };
  const present = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''));
  writePrivate(home.file('local.json'), `${JSON.stringify({ ...present, pids: pidsOf(stack) }, null, 2)}\n`);
};
