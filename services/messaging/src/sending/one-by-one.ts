/** What is done under one name is done one after the other: transactions that write one document would only meet in MongoDB. */
export const createOneByOne = () => {
  const last = new Map<string, Promise<unknown>>();
  return <Done>(name: string, work: () => Promise<Done>): Promise<Done> => {
    const done = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = done.then(
      () => {},
      () => {},
    );
    last.set(name, settled);
    void settled.then(() => {
      if (last.get(name) === settled) last.delete(name);
    });
    return done;
  };
};

export type OneByOne = ReturnType<typeof createOneByOne>;
