/**
 * Several commands of `roster` in one process, which is started once for all of them. Each argument is the words of one
 * command as a JSON array; what the commands print is printed as one JSON array.
 */
import { realIo } from './io.ts';
import { runCommand } from './program.ts';

const printed: string[] = [];
for (const words of process.argv.slice(2)) {
  const texts: string[] = [];
  const io = { ...realIo(), out: (text: string) => void texts.push(text), isUnseen: () => false };
  process.exitCode = await runCommand(JSON.parse(words), io);
  if (process.exitCode !== 0) break;
  printed.push(texts.join(''));
}
if (process.exitCode === 0) console.log(JSON.stringify(printed));
