import type { GateOptions } from './gate.ts';

export interface SignInOptions extends GateOptions {
  /** Hears why a form was answered with an error of ours. */
  onError?(error: unknown): void;
  /** How long a form may take to come in. */
  formMs?: number;
  /** Of passwords: for tests, which would spend most of their time on it. */
  passwordCost?: number;
}
