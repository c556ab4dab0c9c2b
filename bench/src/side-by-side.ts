// The same work through the whole system and bare, in turn, after a short run of each.
import { startChild } from './child.ts';

interface Sides<Task, Ours> {
  runs: number;
  ours(): Promise<Ours>;
  warmUp(): Promise<Ours>;
  /** The process that does it bare, and what it is asked for. */
  bare: string;
  task: Task;
  short: Partial<Task>;
}

export const sideBySide = async <Task extends object, Ours>({
  runs,
  ours,
  warmUp,
  bare,
  task,
  short,
}: Sides<Task, Ours>): Promise<{ ours: Ours[]; bare: number[] }> => {
  const found: { ours: Ours[]; bare: number[] } = { ours: [], bare: [] };
  const child = startChild<Task, number>(bare);
  try {
    await warmUp();
    await child.ask({ ...task, ...short });
    for (let run = 0; run < runs; run++) {
      found.ours.push(await ours());
      found.bare.push(await child.ask(task));
    }
  } finally {
    await child.stop();
  }
  return found;
};
