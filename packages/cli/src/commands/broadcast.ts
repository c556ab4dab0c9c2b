/** Broadcast channels of an app at APNs: `roster channel broadcast`. */
import type { Managed, openBroadcastChannels } from '@roster/channels';
import { aboutReason } from '@roster/contract';
import { appIn } from '../app-in.ts';
import { audited } from '../audited.ts';
import type { Family, WorkspaceTools } from '../command.ts';
import { withProgress } from '../person.ts';
import { failed, missing, type Result, type Stop } from '../result.ts';
import { credentialsOf, whyIn } from '../send-from.ts';
import { linesOf, number } from '../shown.ts';

type Channels = ReturnType<typeof openBroadcastChannels>;

const unknownChannel =
  'APNs has no such channel for the bundle id (`topic`) and the server (`url`: production or sandbox) of the app. "roster channel broadcast list" shows those that it has.';

/** By the words of APNs. */
const remedies: Readonly<Record<string, string>> = {
  FeatureNotEnabled:
    'Switch on Broadcast Capability under Push Notifications of the identifier of the app, in the developer account of Apple.',
  TopicMismatch: 'The key is not for this bundle id: correct `topic`, or take a key of the team of the app.',
  CannotCreateChannelConfig:
    'An app may have 10,000 channels: delete those that nobody needs any more ("roster channel broadcast delete").',
  BadChannelId: unknownChannel,
  ChannelNotRegistered: unknownChannel,
};

const unreached =
  'Let this machine reach api-manage-broadcast.push.apple.com, port 2196 (the sandbox: api-manage-broadcast.sandbox.push.apple.com, port 2195).';

/** What a failure is, and what to do. `unsure`: what to do when APNs may have done it. */
const faultOf = (answer: Exclude<Managed<unknown>, { state: 'done' }>, unsure: string): Stop => {
  const { state, reason, words = '' } = answer;
  const known = Object.hasOwn(remedies, words) ? remedies[words] : undefined;
  const remedy = state === 'unknown' ? unsure : reason === 'no_connection' ? unreached : aboutReason(reason);
  return failed(`${whyIn(answer)}\n${known ?? remedy ?? ''}`.trim());
};

const done = <Value>(answer: Managed<Value>, unsure: string): Value => {
  if (answer.state !== 'done') throw faultOf(answer, unsure);
  return answer.value;
};

const withChannels = async <Value>(
  { io, settings }: WorkspaceTools,
  appId: string,
  work: (channels: Channels) => Promise<Value>,
): Promise<Value> => {
  const app = appIn(settings, appId).id;
  const credentials = await credentialsOf(io, settings, 'ios_push', app);
  if (!credentials)
    throw missing(
      `the app ${app} has no credentials for APNs. Add apps[].channels.ios_push to the file of the workspace.`,
    );
  // Only here: it takes its time to load.
  const { openBroadcastChannels: open } = await import('@roster/channels');
  const channels = open(credentials);
  try {
    return await work(channels);
  } finally {
    channels.close();
  }
};

/** In the audit log, once APNs has done it. */
const record = (
  { io, store, ws }: WorkspaceTools,
  what: 'broadcast.created' | 'broadcast.deleted',
  { app, channel }: { app: string; channel: string },
): Promise<void> =>
  audited(store, { what, target: channel, set: { ws, app }, now: io.now() }, async () => {});

const again = 'The same command may be run again.';

const create = async (
  tools: WorkspaceTools,
  app: string,
  { store = false }: { store?: boolean },
): Promise<Result> => {
  const channel = await withChannels(tools, app, async (channels) =>
    done(
      await channels.create(store),
      'It may have been made: "roster channel broadcast list" shows it then.',
    ),
  );
  await record(tools, 'broadcast.created', { app, channel });
  return {
    json: { channel, stores: store },
    text: `${channel}\n`,
    notes: [
      `Register it for an activity: POST /messages/live_activity/register with "channel_id"${store ? ' and "channel_stores": true' : ''}. Phones listen to it by pushType: .channel(id).`,
    ],
  };
};

const list = (tools: WorkspaceTools, app: string): Promise<Result> =>
  withChannels(tools, app, async (channels) => {
    const all = done(await channels.list(), again);
    return {
      json: all,
      text: linesOf(all),
      notes: [
        all.length === 0 && 'The app has no broadcast channels. "roster channel broadcast create" makes one.',
      ],
    };
  });

const show = (tools: WorkspaceTools, app: string, channel: string): Promise<Result> =>
  withChannels(tools, app, async (channels) => {
    const { stores } = done(await channels.show(channel), again);
    return {
      json: { channel, stores },
      text: linesOf([`channel: ${channel}`, `stores: ${stores ? 'its newest update' : 'nothing'}`]),
    };
  });

/** Those before a failure are deleted: the failure says how many. */
const deleteAll = (tools: WorkspaceTools, app: string, wanted: readonly string[]): Promise<Result> =>
  withChannels(tools, app, (channels) =>
    withProgress(tools.io, async (progress) => {
      const all = [...new Set(wanted)];
      for (const [n, channel] of all.entries()) {
        progress.show(n / all.length, () => [`${number(n)} of ${number(all.length)} deleted`]);
        const answer = await channels.delete(channel);
        if (answer.state === 'done') {
          await record(tools, 'broadcast.deleted', { app, channel });
          continue;
        }
        const { message } = faultOf(answer, again);
        throw failed(
          `${channel} is not deleted: ${message}\n${number(n)} of ${number(all.length)} were deleted.`,
        );
      }
      return {
        json: all,
        text: `deleted: ${all.length === 1 ? '1 channel' : `${number(all.length)} channels`}\n`,
      };
    }),
  );

const ofApp = 'the workspace of the app';

export const broadcastCommands: Family = {
  about: 'broadcast channels of an app at APNs: one push updates a live activity on all phones that listen',
  help: `
They need the same credentials as pushes to Apple devices (apps[].channels.ios_push), and Broadcast Capability under Push
Notifications of the identifier of the app, in the developer account of Apple.

Examples:
  $ CHANNEL=$(roster channel broadcast create shop-ios)
  $ roster channel broadcast list shop-ios
  $ roster channel broadcast delete shop-ios $CHANNEL`,
  commands: {
    'create <app>': {
      about: 'make a channel, and print its id',
      workspace: ofApp,
      flags: { '--store': 'APNs keeps the newest update for phones that are away' },
      run: create,
    },
    'list <app>': { about: 'the ids of all channels of the app', workspace: ofApp, run: list },
    'show <app> <channel>': {
      about: 'whether a channel is there, and whether it stores',
      workspace: ofApp,
      run: show,
    },
    'delete <app> <channels...>': {
      about: 'delete channels: phones that listen to them get no more updates',
      workspace: ofApp,
      run: deleteAll,
    },
  },
};
