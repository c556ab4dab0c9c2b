/** The server and the key: from the options, else from the environment, else from the running local stack. */
import { createHash } from 'node:crypto';
import { parseKey } from '@roster/access';
import type { Io } from '../io.ts';
import { textIn } from '../json.ts';
import { localStack } from '../local.ts';
import { wrong } from '../result.ts';

export interface Target {
  /** Without a slash at its end. */
  url: string;
  key: string;
}

export interface TargetOptions {
  url?: string;
  key?: string;
}

/** Of commands that send what any operation takes. */
export const targetFlags = {
  '--url <address>': 'Roster; else ROSTER_URL, else the local stack that runs',
  '--key <key>': 'an API key of Roster; better ROSTER_API_KEY, which no process list shows',
};

const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** A key belongs to its server: the key of the local stack is not sent to another host. */
export const targetOf = (io: Io, options: TargetOptions): Target => {
  const local = localStack(io);
  const given = options.url ?? io.env.ROSTER_URL;
  const url = given || textIn(local.baseUrl);
  if (!url)
    throw wrong(
      'where to? No local stack runs here ("npm start" starts one). Give --url http://host:8080, or set ROSTER_URL.',
    );
  if (!isAddress(url)) throw wrong(`--url ${url} is no address like http://host:8080`);
  const ours = url === local.baseUrl ? textIn(local.apiKey) : undefined;
  const key = options.key ?? (io.env.ROSTER_API_KEY || ours);
  if (!key)
    throw wrong(
      `which key? Set ROSTER_API_KEY to a key of ${url} with the permission users.track; "roster keys create" makes one.`,
    );
  return { url: url.replace(/\/+$/, ''), key };
};

/** The id of the key, without its secret. */
export const keyIdOf = (key: string): string =>
  parseKey(key)?.id ?? createHash('sha256').update(key).digest('hex').slice(0, 12);
