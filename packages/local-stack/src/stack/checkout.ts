import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that this package stands in. */
export const checkout = (): string =>
  fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

const built = (script: string): string => {
  if (!existsSync(script)) throw new Error(`${script} is not there: build first (npm run build)`);
  return script;
};

export const serviceScript = (service: string): string => built(join(checkout(), `bundle/${service}.js`));

export const cliScript = (): string => built(join(checkout(), 'bundle/several.js'));
