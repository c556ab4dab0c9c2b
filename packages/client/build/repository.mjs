// Where a clone of the project is had from, as the packed package.json says it.
import { execFileSync } from 'node:child_process';

const originOf = (folder) => {
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['remote', 'get-url', 'origin'], options).trim();
  } catch {
    return '';
  }
};

const asUrl = (remote) => {
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  return host === undefined ? remote : `ssh://${host}/${path}`;
};

/** A name that others know; an address of a network or a name of one machine is none. */
const isPublic = (host) => /^(?:[a-z\d-]+\.)+[a-z]{2,}$/.test(host) && !/\.(?:local|localhost)$/.test(host);

/** By https and without credentials; nothing for a folder, another protocol or a host of one machine. */
const webAddressOf = (remote) => {
  const url = asUrl(remote);
  if (!/^(?:https|ssh):\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const host = hostname.toLowerCase();
  if (!isPublic(host) || path === '') return undefined;
  return `https://${host}${protocol === 'https:' && port !== '' ? `:${port}` : ''}${path}`;
};

/** The members for package.json; nothing when `origin` is no such address. */
export const membersFor = (folder) => {
  const address = webAddressOf(originOf(folder));
  return (
    address && {
      homepage: `${address}#readme`,
      repository: { type: 'git', url: `git+${address}.git`, directory: 'packages/client' },
    }
  );
};
