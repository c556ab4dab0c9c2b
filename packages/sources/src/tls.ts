/** TLS settings as Node takes them; undefined: no TLS. */
import type { Tls } from './settings.ts';

export const tlsOptions = ({ mode = 'verify', ca }: Tls = {}) =>
  mode === 'off' ? undefined : { rejectUnauthorized: mode === 'verify', ...(ca !== undefined && { ca }) };
