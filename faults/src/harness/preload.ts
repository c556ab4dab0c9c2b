// A script that a process loads before its own: it spoils something that is the same in every service (src/preloads/).
import { fileURLToPath } from 'node:url';

export type Preload = 'abrupt' | 'clock' | 'without-keys' | 'without-sync' | 'without-time-limits';

const scriptOf = (name: Preload): string => fileURLToPath(new URL(`../preloads/${name}.js`, import.meta.url));

/** The environment in which a process loads it. */
export const preloading = (name: Preload): Record<string, string> => ({
  NODE_OPTIONS: `--import=${scriptOf(name)}`,
});
