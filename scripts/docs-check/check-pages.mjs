// Runs the shell blocks of pages in their order, and holds the answers that the pages show.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { differenceOf, fill } from './answers.mjs';
import { blocksOf } from './blocks.mjs';
import { openShell } from './shell.mjs';

const isInstalled = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

const reasonNotToRun = ({ notRun, needs = [] }) => {
  const missing = needs.filter((command) => !isInstalled(command));
  return notRun ?? (missing.length > 0 ? `${missing.join(', ')} is not installed` : undefined);
};

const judge = ({ output, isOver }, { answer }, failed) => {
  if (!isOver) return `it did not end\n${output}`;
  if (failed) return `${failed}\n${output}`;
  return answer === undefined ? undefined : differenceOf(answer, output);
};

const momentMs = 60_000;

const runBlock = async (block, shell, printed) => {
  if (block.problem) return { problem: block.problem, output: '' };
  const { filled, missing } = fill(block.code, printed);
  if (missing.length > 0)
    return { problem: `nothing before it has printed ${missing.join(', ')}`, output: '' };
  for (const end = Date.now() + (block.mayTakeAMoment ? momentMs : 0); ; ) {
    const ran = await shell.run(filled);
    const problem = judge(ran, block, readFileSync(shell.failed, 'utf8').trim());
    if (!problem || !ran.isOver || Date.now() >= end) return { problem, output: ran.output };
  }
};

const checkPage = async ({ page, text }, { say, ...place }) => {
  const shell = openShell(place);
  const results = [];
  let printed = '';
  for (const block of blocksOf(page, text)) {
    const where = `${page}:${block.line}`;
    const reason = reasonNotToRun(block);
    if (reason) {
      say(`not   ${where}: ${reason}`);
      results.push({ where, reason });
      continue;
    }
    const { problem, output } = await runBlock(block, shell, printed);
    printed += output;
    say(problem ? `FAIL  ${where}: ${problem}` : `ok    ${where}`);
    results.push({ where, problem });
  }
  shell.close();
  return results;
};

/** Pages are `{ page, text }`. */
export const checkPages = async (pages, place) => {
  const results = [];
  for (const page of pages) results.push(...(await checkPage(page, place)));
  const notRun = results.filter(({ reason }) => reason).length;
  const failed = results.filter(({ problem }) => problem).length;
  return { run: results.length - notRun, notRun, failed };
};
