import { writePrivate } from '../servers/private-file.ts';
import type { Home } from './home.ts';
import type { Stack } from './running.ts';

const pidsOf = ({ processes }: Stack): Record<string, number> =>
  Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid]));

/** `local.json`: where the stack is, for programs and for `roster`. What is not there has no key. */
export const writeLocal = (home: Home, stack: Stack): void => {
  const { baseUrl, monitorUrl, pagesUrl, apiKey, workspace, appId, emailGroup, smsGroup } = stack;
  const { redisUrl, mongoUrl, scimToken, scimOrigin } = stack;
  const told = {
    baseUrl,
    monitorUrl,
    pagesUrl,
    apiKey,
    workspace,
    appId,
    emailGroup,
    smsGroup,
    redisUrl,
    mongoUrl,
    scimToken,
    scimOrigin,
  };
  const present = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''));
  writePrivate(home.file('local.json'), `${JSON.stringify({ ...present, pids: pidsOf(stack) }, null, 2)}\n`);
};
