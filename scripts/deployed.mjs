// What the checks of Docker and of Kubernetes know of Roster.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

export const read = (file) => readFileSync(join(root, file), 'utf8');

export const isPinned = (image) => /:[\w.-]*\d[\w.-]*$|@sha256:/.test(image ?? '');
export const isSecret = (name) => /SECRET|PASSWORD|TOKEN/.test(name);

/** Every variable that a process reads; whatever else is set would have no effect. */
export const variables = new Set(
  read('packages/runtime/src/variables.ts')
    .match(/^ {2}[A-Z][A-Z_]+(?=:)/gm)
    .map((name) => name.trim()),
);

/** As scripts/bundle.mjs names them: `pages-main.ts` is the process `pages`. */
export const processesOf = (service) =>
  readdirSync(join(root, `services/${service}/src`))
    .filter((file) => /^([a-z]+-)?main\.ts$/.test(file))
    .map((file) => (file === 'main.ts' ? service : file.replace('-main.ts', '')));
