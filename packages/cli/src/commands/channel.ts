/** Credentials of apps: `roster channel test`; broadcast channels: `roster channel broadcast`. */
import type { WorkspaceSettings } from '@roster/access';
import type { Answer, ProviderChannel } from '@roster/channels';
import { aboutReason, isEmail } from '@roster/contract';
import { appIn } from '../app-in.ts';
import type { Family, WorkspaceTools } from '../command.ts';
import { credentialCommand } from '../credential.ts';
import type { Io } from '../io.ts';
import { pepperOf } from '../local.ts';
import { exitCodes, type Result, wrong } from '../result.ts';
import { credentialsOf, sendFrom, whyIn } from '../send-from.ts';
import { broadcastCommands } from './broadcast.ts';

interface Options {
  to?: string;
  from?: string;
}

interface Trial {
  /** What to say without `--to` (and, for an email, `--from`). */
  needs: string;
  content(options: { to: string; from: string }): Record<string, unknown>;
  /** What is wrong with `--to`. */
  fault?(to: string): string | undefined;
  /** What becomes of messages of an app without credentials, and how it gets them. */
  without: string;
}

const text = 'This is a test of Roster.';

const trial = (channel: ProviderChannel, content: Trial['content']): Trial => ({
  needs: `${channel} needs --to: the token of a device, or a phone number`,
  content,
  without: `no credentials for it: its messages are stored, and "roster sends show" shows them. Add apps[].channels.${channel} to the file of the workspace.`,
});

const titled = () => ({ alert: text, title: 'A test of Roster' });

const trials: Readonly<Record<ProviderChannel, Trial>> = {
  email: {
    needs: 'an email needs --to and --from',
    fault: (to) => (isEmail(to) ? undefined : `--to ${to} is no email address`),
    content: ({ from }) => ({ from, subject: 'A test of Roster', body: `<p>${text}</p>` }),
    without:
      'no email server: its emails are stored, and "roster sends show" shows them. Add apps[].channels.email.smtp to the file of the workspace.',
  },
  ios_push: trial('ios_push', () => ({ alert: text })),
  droid_push: trial('droid_push', titled),
  web_push: trial('web_push', titled),
  live_activity: {
    ...trial('live_activity', () => ({
      event: 'update',
      timestamp: Math.floor(Date.now() / 1000),
      content_state: {},
    })),
    without:
      'no credentials for it: updates of its live activities are refused. Add apps[].channels.ios_push to the file of the workspace.',
  },
  sms: trial('sms', () => ({ body: text })),
  whats_app: trial('whats_app', () => ({ message_type: 'text', message: { body: text } })),
  webhook: {
    ...trial('webhook', ({ to }) => ({
      url: to,
      request_method: 'POST',
      request_headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ test: text }),
    })),
    needs: 'a webhook needs --to, the URL',
  },
};

const isChannel = (name: string): name is ProviderChannel => Object.hasOwn(trials, name);

const shown = (answer: Answer): string => {
  if (answer.state === 'sent')
    return `sent${answer.id === undefined ? '' : `; the provider calls it ${answer.id}`}\n`;
  return `${answer.state === 'later' ? 'not taken now' : answer.state}: ${whyIn(answer)}\n`;
};

const test = async (
  { io, settings }: WorkspaceTools,
  appId: string,
  channel: string,
  { to, from }: Options,
): Promise<Result> => {
  if (!isChannel(channel))
    throw wrong(`there is no channel ${channel}; there are ${Object.keys(trials).join(', ')}`);
  const app = appIn(settings, appId).id;
  const { needs, fault, content, without } = trials[channel];
  if (to === undefined || (channel === 'email' && from === undefined)) throw wrong(needs);
  const wrongTo = fault?.(to);
  if (wrongTo !== undefined) throw wrong(wrongTo);
  const answer = await sendFrom(io, settings, {
    channel,
    app,
    to,
    content: content({ to, from: from ?? '' }),
    without: `the app ${app} has ${without}`,
  });
  const exitCode = answer.state === 'sent' ? exitCodes.done : exitCodes.failed;
  const notes = answer.state === 'sent' ? [] : [aboutReason(answer.reason)];
  return { json: answer, text: shown(answer), notes, exitCode };
};

const isSigned = 'or write "unsigned_calls": "accept" there, if whoever knows the address may be believed.';

/** No new address is believed without a signature, unless the credential says so. */
const unsignedCalls = {
  sms: `the credential does not say how the provider signs its calls. Add "signature" (docs/messaging.md), ${isSigned}`,
  whats_app: `the credential has no "app_secret", by which Meta signs its calls: it is in the settings of the app at Meta. Add it, ${isSigned}`,
};

const noAnswer =
  'The credential does not say where a call has what people answer: a STOP that comes to this address is lost. Add "answer", as { "from": "...", "text": "..." } (docs/messaging.md).';

/** Nothing of an app that has no provider yet. `isDeaf`: what people answer is not read. */
const callsOf = async (io: Io, settings: WorkspaceSettings, channel: 'sms' | 'whats_app', app: string) => {
  const { howSigned, readsAnswers } = await import('@roster/channels');
  const credentials = await credentialsOf(io, settings, channel, app);
  const provider = credentials?.provider;
  return provider === undefined ? {} : { calls: howSigned(provider), isDeaf: !readsAnswers(provider) };
};

const address = async (
  { io, settings, ws }: WorkspaceTools,
  appId: string,
  channel: string,
  { pagesUrl: base = io.env.PAGES_URL }: { pagesUrl?: string },
): Promise<Result> => {
  if (channel !== 'sms' && channel !== 'whats_app') throw wrong('the channel must be sms or whats_app');
  if (!base) throw wrong('set --pages-url or PAGES_URL: where the provider reaches the pages');
  const app = appIn(settings, appId).id;
  const { calls, isDeaf } = await callsOf(io, settings, channel, app);
  if (calls === 'unsigned') throw wrong(unsignedCalls[channel]);
  // Only here: it takes its time to load.
  const { createPhoneUrls } = await import('@roster/channels');
  const made = Date.now();
  const url = createPhoneUrls(pepperOf(io), () => made).url(base.replace(/\/+$/, ''), { ws, app, channel });
  return {
    json: { url, calls: calls ?? null },
    text: `${url}\n`,
    notes: [
      isDeaf && noAnswer,
      calls === 'accepted' && 'Calls are not signed: whoever knows this address is believed.',
      `Earlier addresses go on until the file of the workspace says "addresses_since: ${new Date(made).toISOString()}" beside the provider.`,
    ],
  };
};

const help = `
Credentials stand in files or variables, and the file of the workspace says where:

  apps:
    - id: shop
      name: Shop
      channels:
        email:
          smtp: { file: smtp }                    # smtps://name:password@mail.example.com
        webhook:
          secret: { env: ROSTER_CREDENTIAL_HOOK } # whsec_ and base64
        ios_push: { key: { file: AuthKey_ABC123DEFG.p8 }, key_id: ABC123DEFG, team_id: DEF123GHIJ, topic: com.example.shop }
    - id: shop-android
      name: Shop for Android
      channels:
        droid_push: { account: { file: firebase-account } }   # the service account

Files are in CREDENTIALS_DIR, where "roster channel credential" writes them, and a running Roster reads them anew. The
processes sender and pages read credentials where they run, this command where you are.

Examples:
  $ echo "smtps://name:password@mail.example.com" | roster channel credential smtp
  $ roster channel test shop email --from news@example.com --to me@example.com
  $ roster channel test shop webhook --to https://example.com/hook
  $ roster channel test shop ios_push --to <token of a device>
  $ roster channel address shop sms --pages-url https://preferences.example.com`;

export const channelCommands: Family = {
  about: 'channels: whether messages can be sent',
  example: 'roster channel test shop email --from news@example.com --to me@example.com',
  help,
  commands: {
    'test <app> <channel>': {
      about: 'sends one message with the credentials of an app, and says what the provider answered',
      workspace: 'the workspace of the app',
      flags: {
        '--to <address>': 'an email, the URL of a webhook, the token of a device, a phone number',
        '--from <email>': 'who sends the email',
      },
      run: test,
    },
    'address <app> <channel>': {
      about: 'the address at which the provider of text messages tells what people answer: STOP, START, HELP',
      workspace: 'the workspace of the app',
      flags: { '--pages-url <url>': 'where the provider reaches the pages; else PAGES_URL' },
      run: address,
    },
    broadcast: broadcastCommands,
    ...credentialCommand,
  },
};
