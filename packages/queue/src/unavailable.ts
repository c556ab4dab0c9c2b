/** Redis did not confirm the write. The request may be stored or not: a caller retries with an idempotency key. */
export class Unavailable extends Error {
  constructor(cause: unknown) {
    super('the queue is not reachable', { cause });
    this.name = 'Unavailable';
  }
}

/** A time limit for a call that might never settle (BullMQ waits for a connection without limit). */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer from Redis within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new Unavailable(error);
  } finally {
    clearTimeout(timer);
  }
};
