// What a page shows, compared with what was printed; and what a reader copies from there into the next block.

const bare = (text) => text.replace(/\s+/g, '');

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** White space does not count, `...` is anything, and so is a name in angle brackets. */
const patternOf = (shown) =>
  new RegExp(
    bare(shown)
      .split(/(\.\.\.|<[a-z][\w-]*>)/)
      .map((part, index) => (index % 2 === 0 ? escaped(part) : '.*?'))
      .join(''),
  );

/** What is wrong with the output, for people. */
export const differenceOf = (shown, output) =>
  patternOf(shown).test(bare(output)) ? undefined : `the page shows\n${shown}\nbut it printed\n${output}`;

/** `<dispatch_id>` in a command is what was printed last under this name. At least two words, to tell it from a tag of HTML. */
const place = /<([a-z]+(?:_[a-z]+)+)>/g;

const lastValue = (name, output) => {
  const named = new RegExp(`\\b${name.replaceAll('_', '[ _-]')}["']?\\s*[:=]?\\s*["']?([\\w.-]+)`, 'gi');
  return [...output.matchAll(named)].at(-1)?.[1];
};

/** The code with all places filled, and the names that nothing before has printed. */
export const fill = (code, output) => {
  const missing = [];
  const filled = code.replace(place, (whole, name) => {
    const value = lastValue(name, output);
    if (value === undefined) missing.push(name);
    return value ?? whole;
  });
  return { filled, missing };
};
