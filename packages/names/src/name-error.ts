/** Why a name has no IP now. */
export type NameFault =
  /** Name servers say that there is no such name. */
  | 'name_not_found'
  /** No name server has answered in time. */
  | 'name_timeout'
  /** Name servers have answered that they cannot tell, or there are none. */
  | 'name_failed';

/** `name_busy`: the caller's time was over before it was known. */
type NameErrorCode = NameFault | 'name_busy';

const words: Readonly<Record<NameErrorCode, (host: string) => string>> = {
  name_not_found: (host) => `the host ${host} was not found`,
  name_timeout: (host) => `the name servers do not answer for the host ${host}`,
  name_failed: (host) => `the name servers cannot tell the IPs of the host ${host}`,
  name_busy: (host) => `the host ${host} was not looked up in time`,
};

class NameError extends Error {
  readonly code: NameErrorCode;
  /** So long the answer stays the same. */
  readonly afterMs: number;

  constructor(host: string, code: NameErrorCode, afterMs = 0) {
    super(words[code](host));
    this.code = code;
    this.afterMs = afterMs;
  }
}

export const nameError = (...given: ConstructorParameters<typeof NameError>): NameError =>
  new NameError(...given);

export const isNameError = (error: unknown): error is NameError => error instanceof NameError;
