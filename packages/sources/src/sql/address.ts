/** The parts of a database's URL. Options after `?` are refused: drivers let them name files of this machine. */
import { bad } from '../source-error.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Host and port, for messages. */
  readonly at: string;
  /** Of another server that speaks the protocol, for messages. */
  readonly product?: string;
}

const parse = (url: string, schemes: readonly string[]): URL => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !schemes.includes(parsed.protocol))
    throw bad(`the URL must look like ${schemes[0]}//user:password@host:port/database`);
  if (parsed.search || parsed.hash)
    throw bad('the URL may have nothing after the database: TLS has a setting of its own');
  return parsed;
};

export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw bad('the URL has a % that is not followed by two hexadecimal digits: write % as %25');
  }
};

export const readAddress = (url: string, schemes: readonly string[], usualPort: number): Address => {
  const { hostname, port, username, password, pathname } = parse(url, schemes);
  const [host, database] = [decoded(hostname).replace(/^\[|\]$/g, ''), decoded(pathname.slice(1))];
  if (!host || host.startsWith('/')) throw bad('the URL names no host');
  if (!username) throw bad('the URL names no user');
  if (!database || database.includes('/')) throw bad('the URL names no database');
  const number = port ? Number(port) : usualPort;
  return {
    host,
    port: number,
    user: decoded(username),
    password: decoded(password),
    database,
    at: `${hostname}:${number}`,
  };
};
