/** The API key of `roster demo`. */
import type { Tools } from '../act.ts';
import type { Io } from '../io.ts';
import type { Result } from '../result.ts';
import { makeKey, revokeKey } from './make-key.ts';

export interface DemoOptions {
  people: number;
  days: number;
  seed: number;
  workspace?: string;
  url?: string;
  key?: string;
}

const keyFrom = ({ json }: Result): string =>
  typeof json === 'object' && json !== null && 'key' in json ? String(json.key) : '';

/** A key that lives as long as the command. */
export const withKeyOf = async <Done>(
  tools: Tools,
  workspace: string,
  work: (key: string) => Promise<Done>,
): Promise<Done> => {
  const permission = ['users.track', 'users.export.ids'];
  const options = { workspace, name: 'roster demo', permission, ip: [] };
  const key = keyFrom(await makeKey(tools, options));
  try {
    return await work(key);
  } finally {
    await revokeKey(tools, key);
  }
};

export const keyLineOf = (io: Io, { key, workspace }: DemoOptions): string => {
  if (workspace !== undefined)
    return `export ROSTER_API_KEY=$(roster keys create --workspace ${workspace} --name me --permission '*')`;
  if (key !== undefined) return 'export ROSTER_API_KEY=...   # the key that you gave';
  if (io.env.ROSTER_API_KEY) return '# ROSTER_API_KEY is set';
  const home = io.env.ROSTER_HOME || '.roster';
  return `export ROSTER_API_KEY=$(node -p "JSON.parse(fs.readFileSync('${home}/local.json')).apiKey")`;
};
