/** The message that a server does not answer. */
import { failed } from './result.ts';

/** Host and port, without a password. */
const placeOf = (url: string): string =>
  /@?([^@/]+)(\/|$)/.exec(url.replace(/^[a-z+]+:\/\//, ''))?.[1] ?? 'its address';

const why = (error: unknown): string =>
  (error instanceof Error ? error.message.split('\n', 1)[0] : undefined) ?? 'no answer';

export const away = (name: string, variable: string, url: string) => (error: unknown) => {
  throw failed(
    `${name} at ${placeOf(url)} does not answer (${why(error)}). Start the local stack with "npm start", or set ${variable}.`,
  );
};
