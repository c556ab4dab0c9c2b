/** For tests: the server of the pages, on loopback. Times are out of reach unless a test is about them. */
import { ownPage } from './reply.ts';
import { type PageServerOptions, startPageServer } from './server.ts';

const far = 600_000;
const patient = { headersWithinMs: far, bodyWithinMs: far, pageWithinMs: far, exchangeWithinMs: far };

export const aPage = async () => ownPage(200, 'a page');

export const startTestServer = ({ bounds, ...more }: Partial<PageServerOptions> = {}) =>
  startPageServer({
    routes: [],
    other: aPage,
    isOfProvider: () => false,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: '127.0.0.9',
    ready: async () => true,
    log: { error() {} },
    ...more,
    bounds: { ...patient, ...bounds },
  });
