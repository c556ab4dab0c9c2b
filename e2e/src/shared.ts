/** One whole for all files of a folder: its start takes longer than most of them. Each file has a workspace of its own. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, type System, settingsOf, startWhole, type Whole } from './system.ts';

let whole: Whole | undefined;

const shared = (): Whole => {
  if (!whole) throw new Error('the services run while there are tests');
  return whole;
};

/** Filled in before the first test of the file. */
const filledIn = <Value extends object>(make: (from: Whole) => Promise<Value>): Value => {
  const value = {} as Value;
  beforeAll(async () => {
    Object.assign(value, await make(shared()));
  });
  return value;
};

/** A workspace of the file that asks, with the services of all of them. `own`: its settings, made of the usual ones after what stands before is open. */
export const useWorkspace = (id: string, own = (usual: Settings): Settings => usual): System =>
  filledIn(({ open }) => open(id, own(settingsOf(id))));

export const useSharedStore = (): Whole['store'] => filledIn(async ({ store }) => store);

/** The services themselves, for files that need workspaces of another kind. */
export const useWhole = (): Whole => filledIn(async (one) => one);

const ending = '.test.ts';

/** Plays every test file of a folder, in one run of jest's modules. By itself: `npm test -- e2e -t odd-names`. */
export const playAll = (folder: string): void => {
  jest.setTimeout(240_000);
  beforeAll(async () => {
    whole = await startWhole({ identity: {}, subscription: true, messaging: true, integrations: {} });
  });
  afterAll(() => whole?.stop());
  const files = readdirSync(join(__dirname, folder)).filter((name) => name.endsWith(ending));
  describe.each(files.map((file) => file.slice(0, -ending.length)))('%s', (name) => {
    require(join(__dirname, folder, name + ending));
  });
};
