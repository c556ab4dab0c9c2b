/** `roster ... | head` takes what it wants and goes, which is no fault: nobody hears of it. Who writes much ends by itself (export). */
export const allowReadersToGo = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`roster: the result could not be written: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => {});
};
