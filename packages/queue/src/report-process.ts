/** What a process notes of itself in Redis, for those who look: that it is starved, and which secrets it knows. */
import { reportSecrets } from './secret-notes.ts';
import { reportStarved } from './starved.ts';

type Process = Parameters<typeof reportSecrets>[1] & Parameters<typeof reportStarved>[1];

export const reportProcess = (url: string, process: Process) => {
  const reports = [reportStarved(url, process), reportSecrets(url, process)];
  return {
    close(): void {
      for (const { close } of reports) close();
    },
  };
};
