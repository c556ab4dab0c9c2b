import { relative } from 'node:path';
import type { Stack } from './running.ts';

const near = (path: string): string => {
  const from = relative(process.cwd(), path);
  return from && !from.startsWith('..') ? from : path;
};

/** A start is watched by others, and its output kept in logs. */
const withoutPasswords = (url: string): string =>
  url.replace(/(?<=:\/\/[^/@]*:)[^/@]+(?=@)/, '***').replace(/(?<=[?&]\w*password=)[^&]+/gi, '***');

const trackCurl = ({ baseUrl, apiKey }: Stack, time: string): string => {
  const body = JSON.stringify({ events: [{ external_id: 'ada', name: 'signed_up', time }] });
  return `curl -i ${baseUrl}/users/track -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'`;
};

/** Once there is a dashboard user, the board and the outbox lead everybody to the sign-in. */
export const asksForSignIn = async ({ monitorUrl }: Pick<Stack, 'monitorUrl'>): Promise<boolean> => {
  // A board that does not answer asks nobody.
  const answer = await fetch(monitorUrl, { redirect: 'manual' }).catch(() => undefined);
  return answer?.headers.get('location')?.startsWith('/sign-in') ?? false;
};

/** What a user of a new stack needs. `isShut`: there are dashboard users. */
export const summary = (stack: Stack, now: Date, isShut = false): string => {
  const { baseUrl, monitorUrl, outboxToken, pagesUrl, apiKey, workspace } = stack;
  const { scimToken, scimOrigin, redisUrl, mongoUrl, dir } = stack;
  const outbox = isShut
    ? `${monitorUrl}/outbox
            (messages that were not sent but stored; after the sign-in)`
    : `${monitorUrl}/outbox?token=${outboxToken}
            (messages that were not sent but stored; the link is for you alone)`;
  const signIn = isShut
    ? `${monitorUrl}/sign-in. One more user:
            npm run roster -- dashboard invite you@example.com --workspace ${workspace}`
    : `not asked for until there is a dashboard user. The first one:
            npm run roster -- dashboard invite you@example.com --workspace ${workspace}`;
  return `
Roster is up at ${baseUrl}

  start     ${baseUrl}/#key=${apiKey}&outbox=${outboxToken}
            (in a browser: the next steps, with ticks; the key stays in the browser)
  docs      ${baseUrl}/docs#key=${apiKey}
  demo key  ${apiKey}
            (workspace ${workspace}, every permission)
  board     ${monitorUrl}
  outbox    ${outbox}
  pages     ${pagesUrl} (preference pages: links in messages lead there)
  SCIM      ${baseUrl}/scim/v2, token ${scimToken}
            with X-Request-Origin: ${scimOrigin}
  sign-in   ${signIn}

Send an event:

  ${trackCurl(stack, now.toISOString())}

The answer names its request in X-Request-Id. See what became of it:

  curl ${baseUrl}/requests/<id> -H 'Authorization: Bearer ${apiKey}'

As long as the settings of workspace ${workspace} name no mail server, its emails are not sent.
Roster stores them, and you can read them in the outbox

  Redis     ${withoutPasswords(redisUrl)}
  MongoDB   ${withoutPasswords(mongoUrl)}
  data      ${near(dir)} (npm run reset removes it), logs in ${near(dir)}/logs

Ctrl-C stops everything.
`;
};
