/** Wires the messaging service: a queue of its own, each request answered to the ingress that asked. */
import { type AnswersReplacements, startAnswers } from '@roster/batch';
import type { Config, Context, Running } from '@roster/runtime';
import { createAnswer } from './answer.ts';
import { openProcess } from './open-process.ts';

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

/** A slow one does not hold up those of other workspaces. */
const turnsAtOnce = 4;

export const startMessaging = async (
  context: Context<Config<'messaging'>>,
  replacements: AnswersReplacements = {},
): Promise<Running> => {
  const parts = await openProcess('messaging', context);
  const { store, liquidOf, urls, settingsOf, channels, fresh, close } = parts;
  return startAnswers(
    context,
    {
      name: 'messaging',
      what: 'requests about messages and pages',
      store,
      limits,
      concurrency: 16,
      turnsAtOnce,
      apply: createAnswer({ store, liquidOf, urls, settingsOf, emailFault: channels.emailFault, fresh }),
      close,
    },
    replacements,
  );
};
