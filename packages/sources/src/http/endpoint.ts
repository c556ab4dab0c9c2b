/** The address of an interface: host and port, nothing else. */
import { bad } from '../source-error.ts';

export const endpointOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url;
  throw bad('the endpoint must look like https://host:port');
};
