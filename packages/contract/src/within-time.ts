/** What the work comes to; after so long, what it is late. The work goes on then, and nobody waits for it. */
export const withinTime = <Done>(ms: number, work: Promise<Done>, late: () => Done): Promise<Done> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Done>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
};
