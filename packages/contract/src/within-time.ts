/** What the work comes to; after so long, what it is late. The work goes on then, and nobody waits for it. */
export const withinTime = <Done>(ms: number, work: Promise<Done>, late: () => Done): Promise<Done> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), ms);
    void work.then(resolve, reject).then(() => clearTimeout(timer));
  });
