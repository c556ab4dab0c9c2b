import { workspaceOf } from '../chosen-workspace.ts';
import { type Command, type Tools, wholeNumber } from '../command.ts';
import { runDemo } from '../demo/run-demo.ts';
import { type Target, targetOf } from '../import/target.ts';
import type { Io } from '../io.ts';
import { localStack } from '../local.ts';
import { watched } from '../person.ts';
import type { Result } from '../result.ts';
import { makeKey, revokeKey } from './keys.ts';

interface DemoOptions {
  people: number;
  days: number;
  seed: number;
  workspace?: string;
  url?: string;
  key?: string;
}

/** A key that lives as long as the command. */
const withKeyOf = async <Done>(
  tools: Tools,
  workspace: string,
  work: (key: string) => Promise<Done>,
): Promise<Done> => {
  const permission = ['users.track', 'users.export.ids'];
  const options = { workspace, name: 'roster demo', permission, ip: [] };
  const key = (await makeKey(tools, options)).text.trim();
  try {
    return await work(key);
  } finally {
    await revokeKey(tools, key);
  }
};

const keyLineOf = (io: Io, { key, workspace }: DemoOptions): string => {
  if (workspace !== undefined)
    return `export ROSTER_API_KEY=$(roster keys create --workspace ${workspace} --name me --permission '*')`;
  if (key !== undefined) return 'export ROSTER_API_KEY=...   # the key that you gave';
  if (io.env.ROSTER_API_KEY) return '# ROSTER_API_KEY is set';
  const home = io.env.ROSTER_HOME || '.roster';
  return `export ROSTER_API_KEY=$(node -p "JSON.parse(fs.readFileSync('${home}/local.json')).apiKey")`;
};

/** Without the name of the workspace only those of the local stack are known. */
const groupsOf = (
  { emailGroup, smsGroup, apiKey }: ReturnType<typeof localStack>,
  { key }: Target,
): string[] => (key === apiKey ? [emailGroup, smsGroup].filter((id) => typeof id === 'string') : []);

const makeDemo = async (tools: Tools, options: DemoOptions): Promise<Result> => {
  const { io, servers } = tools;
  const { people, days, seed, workspace } = options;
  return watched(io, async (work) => {
    const send = (target: Target, groups: string[]): Promise<Result> =>
      runDemo({ people, days, seed, groups, now: io.now() }, target, keyLineOf(io, options), work);
    if (workspace === undefined) {
      const target = targetOf(io, options);
      return send(target, groupsOf(localStack(io), target));
    }
    const groups = (await workspaceOf(servers, workspace)).subscription_groups.map(({ id }) => id);
    return withKeyOf(tools, workspace, (key) => send(targetOf(io, { ...options, key }), groups));
  });
};

const help = `
It sends people with names, addresses at example.com, cities, consents and attributes, some of them visitors known only
by an alias or an email, and what they did: app_opened, product_viewed, added_to_cart, newsletter_opened, and purchases in
the currency of their country. Everything goes through POST /users/track, up to yesterday (UTC).

The same seed makes the same people, so each person is there once. Their events count once too, when it is run again with the same
--people within 24 hours; later than that, the server has forgotten the keys and the events are added once more.

Without --workspace it goes where the key belongs: ROSTER_API_KEY, else the demo workspace of the local stack.
With it, a key is made for that workspace and revoked at the end (needs REDIS_URL, MONGO_URL and ROSTER_SECRET).

Examples:
  $ roster demo
  $ roster demo --people 5000 --days 30 --seed 7
  $ roster demo --workspace shop`;

export const demoCommand: Command = {
  about: 'fill a workspace with people who do not exist and what they did, for trying things out',
  example: 'roster demo',
  flags: {
    '--people <count>': wholeNumber('how many people', [1, 100_000], 200),
    '--days <count>': wholeNumber('over how many days they did something', [0, 3650], 90),
    '--seed <number>': wholeNumber('another number, other people', [0, 1_000_000_000], 1),
    '--workspace <id>': 'another workspace than that of the key',
    '--url <address>': 'the ingress; else ROSTER_URL, else the local stack that runs',
    '--key <key>': 'an API key with users.track; better ROSTER_API_KEY',
  },
  help,
  run: makeDemo,
};
