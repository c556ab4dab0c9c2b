// A service with a part exchanged. `ROSTER_INSTEAD` names the variants of a system: `track-hasty,identity-late`.
import { environment, type Running, run, type serviceConfigs } from '@roster/runtime';

type Service = keyof typeof serviceConfigs;

/** By name: starts the service so. */
export type Variants<Name extends Service> = Readonly<
  Record<string, (context: Parameters<Parameters<typeof run<Name>>[1]>[0]) => Promise<Running>>
>;

/** Variants by the parts that are exchanged. */
export const exchanging =
  <Context, Parts>(start: (context: Context, parts: Parts) => Promise<Running>) =>
  (parts: Parts) =>
  (context: Context): Promise<Running> =>
    start(context, parts);

/** Something is done before it starts. */
export const after =
  <Context>(done: () => unknown, start: (context: Context) => Promise<Running>) =>
  async (context: Context): Promise<Running> => {
    await done();
    return start(context);
  };

export const runVariant = async <Name extends Service>(
  service: Name,
  variants: Variants<Name>,
): Promise<void> => {
  const names = String(environment().ROSTER_INSTEAD).split(',');
  const name = names.find((name) => name.startsWith(`${service}-`))?.slice(service.length + 1) ?? '';
  const start = variants[name];
  if (!start)
    throw new Error(`${service} has no variant ${name}; it has ${Object.keys(variants).join(', ')}`);
  await run(service, start);
};
