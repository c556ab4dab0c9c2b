/** Work in lines: that of one line one after the other, in the order in which it came; different lines side by side. */
export const createLines = () => {
  const ends = new Map<string, Promise<unknown>>();
  return <Done>(line: string, work: () => Promise<Done>): Promise<Done> => {
    const done = (ends.get(line) ?? Promise.resolve()).then(work, work);
    ends.set(line, done);
    const leave = (): void => {
      if (ends.get(line) === done) ends.delete(line);
    };
    done.then(leave, leave);
    return done;
  };
};

export type Lines = ReturnType<typeof createLines>;
