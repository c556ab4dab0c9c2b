// A script that a process loads before its own: it spoils something that is the same in every service (src/preloads/).

type Script = 'abrupt' | 'clock' | 'name-server' | 'without-keys' | 'without-sync' | 'without-time-limits';

/** Its name, and what it is told. */
export type Preload = Script | `name-server?${string}`;

const scriptOf = (preload: Preload): string => {
  const [name, query] = preload.split('?');
  const url = new URL(`../preloads/${name}.js`, import.meta.url);
  url.search = query ?? '';
  return url.href;
};

/** The environment in which a process loads it. */
export const preloading = (preload: Preload): Record<string, string> => ({
  NODE_OPTIONS: `--import=${scriptOf(preload)}`,
});
