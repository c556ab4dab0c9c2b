/** Wires the messaging service: a queue of its own, each request answered to the ingress that asked. */
import { type AnswersReplacements, failForGood, startAnswers } from '@roster/batch';
import { openChannels } from '@roster/channels';
import { type Config, type Context, type Running, readyWhen } from '@roster/runtime';
import { type AnswerOptions, createAnswer } from './answer.ts';
import { pageUrlsOf } from './links/base-url.ts';
import { openProcess } from './open-process.ts';

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

/** A slow one does not hold up those of other workspaces. */
const turnsAtOnce = 4;

const answeringOf = (options: AnswerOptions) => ({
  name: 'messaging' as const,
  what: 'requests about messages and pages',
  isWell: options.store.isWell,
  limits,
  concurrency: 16,
  turnsAtOnce,
  apply: createAnswer(options),
  failed: failForGood(options.store),
});

export const startMessaging = async (
  context: Context<Config<'messaging'>>,
  replacements: AnswersReplacements = {},
): Promise<Running> => {
  const { close, links, onSpent, ...parts } = await openProcess('messaging', context);
  const { store, liquidOf, settingsOf, fresh } = parts;
  const channels = openChannels({ onSpent });
  const { emailFault } = channels;
  const urls = pageUrlsOf(context.config, links);
  const options = { store, liquidOf, urls, settingsOf, emailFault, fresh };
  const worker = startAnswers(context, answeringOf(options), replacements);
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    async stop() {
      await worker.close();
      await channels.close();
      await close();
    },
  };
};
