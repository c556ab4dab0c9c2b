/** Where the objects of a bucket are: in the name of the host, or in the path. */
import { endpointOf } from '../http/exchange.ts';
import type { BucketTable } from '../settings.ts';
import { bad } from '../source-error.ts';

const strictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const pathOf = (key: string): string => key.split('/').map(strictly).join('/');

/** A URL with such a part leads elsewhere. */
export const canBeNamed = (key: string): boolean =>
  key.split('/').every((part) => part !== '.' && part !== '..');

export const readAddress = (settings: BucketTable) => {
  const { bucket, prefix = '', pathStyle = settings.endpoint !== undefined } = settings;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket)) throw bad('this can be no name of a bucket');
  const base = endpointOf(settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`, settings.tls);
  if (!pathStyle) base.hostname = `${bucket}.${base.hostname}`;
  return {
    /** For messages. */
    at: base.host,
    bucket,
    prefix,
    urlOf(key: string, query: Readonly<Record<string, string>> = {}): URL {
      const url = new URL(`${pathStyle ? `/${bucket}` : ''}/${pathOf(key)}`, base);
      // Not by searchParams, which writes a space as +: the signature is of %20.
      url.search = Object.entries(query)
        .map(([name, value]) => `${strictly(name)}=${strictly(value)}`)
        .join('&');
      return url;
    },
  };
};

export type Address = ReturnType<typeof readAddress>;
