// What /health/ready of each process says, on its side port.
import { anyFreePort } from '@roster/local-stack';

export type Ports = Readonly<Record<string, number>>;

/** A side port for each process, known before it starts. */
export const sidePorts = async (names: readonly string[]): Promise<Ports> =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await anyFreePort()])));

export const asEnvironment = (ports: Ports): Record<string, Record<string, string>> =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { ADMIN_PORT: String(port) }]));

/** `ready`, or the reason why not. */
const verdictOf = async (port: number): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
    signal: AbortSignal.timeout(3_000),
  });
  if (response.ok) return 'ready';
  const { reason } = (await response.json()) as { reason?: string };
  return reason ?? 'no reason';
};

export const verdicts = async (ports: Ports): Promise<Map<string, string>> => {
  const asked = Object.entries(ports).map(
    async ([name, port]): Promise<[string, string]> => [name, await verdictOf(port).catch(() => 'no answer')],
  );
  return new Map(await Promise.all(asked));
};
