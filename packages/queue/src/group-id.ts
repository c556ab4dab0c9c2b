/** The job id of a group: the fence reads it without reading the job. */
import { hash, randomBytes } from 'node:crypto';

const tagOf = (ws: string): string => hash('sha256', ws, 'base64url').slice(0, 8);

/**
 * A job id tells the fence, without reading the job, the oldest stamp inside and, of a job with requests of one workspace, that workspace.
 * The suffix keeps every write its own job.
 */
export const groupId = (oldest: number, suffix: string, ws?: string): string =>
  `g${oldest.toString(36)}-${suffix}${ws === undefined ? '' : `.${tagOf(ws)}`}`;

/** Jobs that no caller waits for: the requests of syncs. */
const background = 's';

export const freshSuffix = (isBackground: boolean): string =>
  (isBackground ? background : '') + randomBytes(6).toString('hex');

export const isBackground = (id: string): boolean => id.includes(`-${background}`);

/** Asked of many ids: whether a job may hold requests of this workspace. */
export const mayHold = (ws: string): ((id: string) => boolean) => {
  const own = tagOf(ws);
  return (id) => {
    const dot = id.lastIndexOf('.');
    return dot < 0 || id.slice(dot + 1) === own;
  };
};

export const stampOfGroupId = (id: string): number | undefined => {
  const stamp = /^g([0-9a-z]+)-/.exec(id)?.[1];
  return stamp === undefined ? undefined : Number.parseInt(stamp, 36);
};

/** The same in a script. Of an unknown id it is 0: as old as can be. */
export const luaStampOf = `
local function stampOf(id)
  local stamp = string.match(id, '^g([0-9a-z]+)-')
  return stamp and tonumber(stamp, 36) or 0
end`;
