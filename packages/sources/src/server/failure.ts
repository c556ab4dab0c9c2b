/** What has ended a connection, told to all who wait for it. */
export const createFailure = () => {
  let failure: unknown;
  const listeners: ((error: unknown) => void)[] = [];
  const fail = (error: unknown): void => {
    failure ??= error;
    for (const heard of listeners) heard(failure);
  };
  const onFailure = (heard: (error: unknown) => void): void => {
    listeners.push(heard);
    if (failure) heard(failure);
  };
  const failed = new Promise<never>((_, reject) => onFailure(reject));
  failed.catch(() => {});
  return {
    /** The first error counts. */
    fail,
    onFailure,
    /** Rejects with what ended the connection. */
    failed,
  };
};
