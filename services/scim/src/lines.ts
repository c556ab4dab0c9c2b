/** Work in lines: that of one line one after the other, in the order in which it came; different lines side by side. */
export type InLines = <Result>(line: string, work: () => Promise<Result>) => Promise<Result>;

export const createLines = (): InLines => {
  const ends = new Map<string, Promise<unknown>>();
  return (line, work) => {
    const before = ends.get(line) ?? Promise.resolve();
    const done = before.then(work, work);
    ends.set(line, done);
    const leave = (): void => {
      if (ends.get(line) === done) ends.delete(line);
    };
    done.then(leave, leave);
    return done;
  };
};
