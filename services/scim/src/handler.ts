import type { CompanySettings } from '@roster/access';
import type { AcceptedRequest } from '@roster/contract';
import type { SecurityEvent } from '@roster/runtime';
import type { Store } from '@roster/store';
import type { ScimLimits } from './limits.ts';
import type { ScimWork } from './work.ts';

export interface ScimTools {
  store: Store;
  /** The prefix of all URLs in answers, such as `https://api.example.com`; empty for URLs without a host. */
  publicUrl: string;
  /** For so long the ingress waits for an answer; then the caller is told 503. */
  callerWaitsMs: number;
  /** Receives security events. */
  note(event: SecurityEvent): void;
}

export interface ScimAnswer {
  status: number;
  /** Nothing with 204 and 304. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface CallContext extends ScimTools {
  company: CompanySettings;
  /** In milliseconds, as stamps are in microseconds. */
  now(): number;
  limits: ScimLimits;
  work: ScimWork;
}

export type ScimHandler = (request: AcceptedRequest, asked: CallContext) => Promise<ScimAnswer> | ScimAnswer;
