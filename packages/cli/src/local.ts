/** The settings of the commands: from the environment, else from a running local stack (`$ROSTER_HOME/local.json`). */
import { join } from 'node:path';
import { type Config, ConfigError, loadConfig, secretSchema, serviceConfigs } from '@roster/runtime';
import { makingSecret, type Secrets, secretsOf } from '@roster/secrets';
import type { Io } from './io.ts';
import { isRecord, parsedJson, textIn } from './json.ts';
import { messageOf, wrong } from './result.ts';

const homeOf = (io: Io): string => io.env.ROSTER_HOME || '.roster';

const read = (io: Io, file: string): string | undefined => {
  try {
    return io.readText(join(homeOf(io), file));
  } catch {
    return undefined;
  }
};

const recordIn = (io: Io, file: string): Record<string, unknown> => {
  const record = parsedJson(read(io, file) ?? '{}');
  return isRecord(record) ? record : {};
};

/** The file of the local stack; empty when there is none. */
export const localStack = (io: Io): Record<string, unknown> => recordIn(io, 'local.json');

export const settingsOf = (io: Io): Config<'cli'> => {
  const local = localStack(io);
  return loadConfig(serviceConfigs.cli, {
    ...io.env,
    REDIS_URL: io.env.REDIS_URL || textIn(local.redisUrl),
    MONGO_URL: io.env.MONGO_URL || textIn(local.mongoUrl),
    CREDENTIALS_DIR: io.env.CREDENTIALS_DIR || textIn(local.credentialsDir),
    FILES_DIR: io.env.FILES_DIR || textIn(local.filesDir),
  });
};

/** Where people reach the pages: links of previews lead there. */
export const pagesUrlOf = (io: Io): string | undefined => io.env.PAGES_URL || textIn(localStack(io).pagesUrl);

/** Where people reach the board. */
export const boardUrlOf = (io: Io): string | undefined =>
  io.env.BOARD_URL || textIn(localStack(io).monitorUrl);

/** A stack may have been given others than those that its folder keeps. */
const ofLocalStack = (io: Io) => {
  const running = recordIn(io, 'secrets.json');
  return {
    secret: textIn(running.ROSTER_SECRET) || read(io, 'secret')?.trim(),
    also: textIn(running.ROSTER_SECRET_ALSO),
  };
};

/** The secrets with which keys are hashed; an error where they are not known. */
const secretsKnown = (io: Io): Secrets => {
  const { env } = io;
  const local = env.ROSTER_SECRET ? undefined : ofLocalStack(io);
  const variables = loadConfig(secretSchema, {
    ROSTER_SECRET: env.ROSTER_SECRET || local?.secret,
    ROSTER_SECRET_ALSO: env.ROSTER_SECRET_ALSO || local?.also,
  });
  try {
    return secretsOf(variables);
  } catch (error) {
    throw wrong(messageOf(error));
  }
};

/** What is new is made with it. */
export const pepperOf = (io: Io): string => makingSecret(secretsKnown(io));

/** For commands that can do without them, with less. */
export const secretsIfKnown = (io: Io): Secrets | undefined => {
  try {
    return secretsKnown(io);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
};
