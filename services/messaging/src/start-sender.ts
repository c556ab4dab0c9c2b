/** Wires the process that sends: schedules that are due, live activities, and the providers. */
import { createPhoneUrls, createReadCredential, openChannels } from '@roster/channels';
import { openWatch } from '@roster/queue';
import { type Config, type Context, environment, type Running, readyWhen } from '@roster/runtime';
import { baseUrl, pageUrlsOf } from './links/base-url.ts';
import { openProcess } from './open-process.ts';
import { createScanBudget } from './sending/scans.ts';
import { type SendingReplacements, startSending } from './sending/start-sending.ts';

export const startSender = async (
  context: Context<Config<'sender'>>,
  instead: SendingReplacements = {},
): Promise<Running> => {
  const { config, log } = context;
  const { close, links, answers, onSpent, redis, ...parts } = await openProcess('sender', context);
  const { store } = parts;
  const watch = openWatch({
    url: config.REDIS_URL,
    onError: (err) => log.warn({ err }, 'the watch thread has failed'),
  });
  const channels = openChannels({ onSpent });
  const phoneUrls = createPhoneUrls(config.ROSTER_SECRET);
  const sending = startSending(context, {
    ...parts,
    scanBudget: createScanBudget(store, redis),
    urls: pageUrlsOf(config, links),
    channels,
    readCredential: createReadCredential({ env: environment(), dir: config.CREDENTIALS_DIR }),
    reportUrl: (call) => phoneUrls.url(baseUrl(config), call),
    ...instead,
  });
  return {
    ready: readyWhen({ Redis: answers, MongoDB: store.ping }),
    async stop() {
      await sending.stop();
      await channels.close();
      await watch.close();
      await close();
    },
  };
};
