/** Connections that are kept from one webhook to the next, within bounds. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Shorter than any server keeps one: on a connection that its peer is just closing a message may be lost. */
const idleMs = 2_000;

const bounds = {
  keepAlive: true,
  timeout: idleMs,
  maxSockets: 128,
  maxTotalSockets: 1024,
  maxFreeSockets: 64,
};

const pair = () => ({ http: new HttpAgent(bounds), https: new HttpsAgent(bounds) });

export interface Connections {
  agentFor(protocol: string, allowPrivate: boolean): HttpAgent | HttpsAgent;
  close(): void;
}

/** Hosts are judged when they are connected to. So a connection to a private host serves only those who may use it. */
export const openConnections = (): Connections => {
  const [open, guarded] = [pair(), pair()];
  return {
    agentFor(protocol, allowPrivate) {
      const { http, https } = allowPrivate ? open : guarded;
      return protocol === 'https:' ? https : http;
    },
    close() {
      for (const { http, https } of [open, guarded]) {
        http.destroy();
        https.destroy();
      }
    },
  };
};
