import type { StackProcess } from './part.ts';

/** The whole system as it runs: where each server is, and how all of it ends. */
export interface Stack {
  readonly dir: string;
  readonly baseUrl: string;
  readonly monitorUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
  readonly workspace: string;
  readonly scimToken: string;
  readonly scimOrigin: string;
  readonly appId: string;
  readonly emailGroup: string;
  readonly smsGroup: string;
  readonly redisUrl: string;
  readonly mongoUrl: string;
  readonly secret: string;
  /** By name: redis, mongod, ingress, track, track-2, ... */
  readonly processes: Readonly<Record<string, StackProcess>>;
  stop(): Promise<void>;
}
