import type { Cause } from './evidence.ts';

export const describeError = (error: unknown): Cause => {
  const { code, codeName, name, message } = error as {
    code?: unknown;
    codeName?: string;
    name?: string;
    message?: string;
  };
  return {
    code: String(codeName ?? code ?? name ?? 'Error'),
    reason: String(message ?? error).slice(0, 500),
  };
};
