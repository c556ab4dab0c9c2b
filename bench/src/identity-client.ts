// A caller of the identity operations: keeps its connections, and knows from the answer when what it asked for had taken effect.
import { Agent, request } from 'node:http';
import type { Setting } from './bench.ts';

export interface IdentityClient {
  /** Milliseconds until the answer; throws when it isn't 2xx with a result. */
  post(path: string, body: object, prefer?: string): Promise<number>;
}

export const openIdentityClient = ({ system, atEnd }: Setting): IdentityClient => {
  const { trackUrl, apiKey } = system;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  atEnd(() => agent.destroy());
  const send = (path: string, body: object, prefer?: string): Promise<string> =>
    new Promise((done, failed) => {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...(prefer !== undefined && { prefer }),
      };
      const sending = request(new URL(path, trackUrl), { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode = 0 } = response;
          if (statusCode >= 200 && statusCode < 300 && !text.includes('"state":"queued"')) done(text);
          else failed(new Error(`${path} was answered ${statusCode}: ${text.slice(0, 200)}`));
        });
        response.on('error', failed);
      });
      sending.on('error', failed);
      sending.end(JSON.stringify(body));
    });
  return {
    async post(path, body, prefer) {
      const began = performance.now();
      await send(path, body, prefer);
      return performance.now() - began;
    },
  };
};

export const waiting = 'wait=30';

export const mergeOf = (pairs: readonly (readonly [away: string, kept: string])[]) => ({
  merge_updates: pairs.map(([away, kept]) => ({
    identifier_to_merge: { external_id: away },
    identifier_to_keep: { external_id: kept },
  })),
});

/** Makes people exist, fifty a request. */
export const arrive = async (client: IdentityClient, ids: readonly string[]): Promise<void> => {
  const bodies = Array.from({ length: Math.ceil(ids.length / 50) }, (_, n) => ({
    attributes: ids
      .slice(n * 50, n * 50 + 50)
      .map((external_id) => ({ external_id, first_name: 'Ada', plan: 'free' })),
  }));
  for (let from = 0; from < bodies.length; from += 16)
    await Promise.all(bodies.slice(from, from + 16).map((body) => client.post('/users/track', body)));
};
