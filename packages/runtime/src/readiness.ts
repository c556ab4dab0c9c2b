import type { Verdict } from './admin.ts';

/** Whether a server answers now. It decides within a second, also when the server is silent. */
export type Asks = () => Promise<boolean>;

/** Asks all servers at once. Probes that come meanwhile share the answer: probing often makes no more work. */
export const readyWhen = (servers: Readonly<Record<string, Asks>>): (() => Promise<Verdict>) => {
  const silent = async ([name, answers]: [string, Asks]): Promise<string[]> =>
    (await answers()) ? [] : [`${name} is away`];
  const ask = async (): Promise<Verdict> =>
    (await Promise.all(Object.entries(servers).map(silent))).flat().join(', ') || true;
  let asking: Promise<Verdict> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
};
