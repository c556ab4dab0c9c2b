// The shell blocks of a page, each with the answer that the page shows for it.
//
//   <!-- not run: why -->    before a block: it is counted, and not run
//   <!-- needs: psql -->     before a block: it is run where these commands are installed
//   <!-- may take a moment --> before a block that only reads: it is run again until it prints the answer
//   ```sh                    a shell block
//   ```text, ```json         directly after it: what it prints, or a part of it

const fence = /^( *)```(\S*)$/;
const note = /^ *<!-- (not run|needs|may take a moment)(?:: (.+))? -->$/;
const answers = ['text', 'json'];

const withoutIndent = (lines, indent) =>
  lines.map((line) => line.slice(Math.min(indent, line.search(/\S|$/))));

/** Each fenced block: its kind, its lines and the line before it that has words. */
const fencedIn = (lines) => {
  const found = [];
  for (let start = 0; start < lines.length; start++) {
    const [, indent, kind] = fence.exec(lines[start]) ?? [];
    if (indent === undefined) continue;
    const length = lines.slice(start + 1).findIndex((line) => line.trim() === '```');
    const end = length < 0 ? lines.length : start + 1 + length;
    const before = lines.slice(0, start).findLastIndex((line) => line.trim() !== '');
    found.push({
      kind,
      line: start + 1,
      before,
      end,
      code: withoutIndent(lines.slice(start + 1, end), indent.length).join('\n'),
    });
    start = end;
  }
  return found;
};

const notesOf = (line = '') => {
  const [, word, rest] = note.exec(line) ?? [];
  if (word === 'not run') return { notRun: rest };
  if (word === 'needs') return { needs: rest.split(/[, ]+/) };
  return word ? { mayTakeAMoment: true } : {};
};

/** `problem`: a block that says not what it is. */
export const blocksOf = (page, text) => {
  const lines = text.split('\n');
  const all = fencedIn(lines);
  return all.flatMap((block, index) => {
    const { kind, line, before, end, code } = block;
    if (kind === '')
      return [{ page, line, code, problem: 'the block does not say its kind, such as ```sh or ```text' }];
    if (kind !== 'sh') return [];
    const next = all[index + 1];
    const isAnswered = next && answers.includes(next.kind) && next.before === end;
    return [{ page, line, code, ...(isAnswered && { answer: next.code }), ...notesOf(lines[before]) }];
  });
};
