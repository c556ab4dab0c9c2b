const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

/** A file that would take more memory than it may. */
export class TooMuch extends Error {
  constructor(what: string, bytes: number, most: number, advice = '') {
    super(`${what} of it has ${megabytes(bytes)}, and may have ${megabytes(most)}${advice && `: ${advice}`}`);
    this.name = 'TooMuch';
  }
}
