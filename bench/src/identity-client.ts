// A caller of the identity operations: keeps its connections, and knows from the answer when what it asked for had taken effect.
import { Agent, request } from 'node:http';
import type { Setting } from './bench.ts';

export const openIdentityClient = ({ system, atEnd }: Setting) => {
  const { trackUrl, apiKey } = system;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  atEnd(() => agent.destroy());
  return {
    /** Milliseconds until the answer; throws when it isn't 2xx with a result. */
    post: (path: string, body: object, prefer?: string): Promise<number> =>
      new Promise((done, failed) => {
        const headers = {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...(prefer !== undefined && { prefer }),
        };
        const began = performance.now();
        const sending = request(new URL(path, trackUrl), { method: 'POST', agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const { statusCode = 0 } = response;
            if (statusCode >= 200 && statusCode < 300 && !text.includes('"state":"queued"'))
              done(performance.now() - began);
            else failed(new Error(`${path} was answered ${statusCode}: ${text.slice(0, 200)}`));
          });
          response.on('error', failed);
        });
        sending.on('error', failed);
        sending.end(JSON.stringify(body));
      }),
  };
};

export type IdentityClient = ReturnType<typeof openIdentityClient>;

export const waiting = 'wait=30';

export const mergeOf = (pairs: readonly (readonly [away: string, kept: string])[]) => ({
  merge_updates: pairs.map(([away, kept]) => ({
    identifier_to_merge: { external_id: away },
    identifier_to_keep: { external_id: kept },
  })),
});
