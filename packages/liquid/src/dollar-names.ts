/**
 * Names in the form `${name}`, as the interface writes them: `{{content_blocks.${footer}}}`, `{{${first_name}}}`. They become usual Liquid of
 * the same length, so that lines and columns stay: `.${footer}` is `["footer"]`, and `${first_name}` is `   first_name`.
 */

const dollarName = /(\.?)\$\{([^{}"\\\r\n]{0,255})\}/g;

const usual = (_whole: string, dot: string, name: string): string =>
  dot === '' ? `   ${name}` : `["${name}"]`;

const isName = /\$\{[^{}"\\\r\n]{0,255}\}/y;

/**
 * From the opening braces on: the end of the part, where `}` of a name does not count. Never later than where liquidjs sees it. Nothing is
 * looked for twice: there may be many parts without a name, and many beginnings of names in one part.
 */
const endOf = (source: string, from: number, closing: string): number => {
  let [at, end] = [from, source.indexOf(closing, from)];
  for (;;) {
    if (end < 0) return source.length;
    const open = source.slice(at, end).indexOf('${');
    if (open < 0) return end + closing.length;
    isName.lastIndex = at + open;
    at = isName.test(source) ? isName.lastIndex : at + open + 2;
    if (end < at) end = source.indexOf(closing, at);
  }
};

const raw = /^\{%-?\s*raw\s*-?%\}$/;
const endRaw = /\{%-?\s*endraw\s*-?%\}/g;

const endOfRaw = (source: string, from: number): number => {
  endRaw.lastIndex = from;
  return endRaw.test(source) ? endRaw.lastIndex : source.length;
};

/** A piece of Liquid in a source. */
interface LiquidPiece {
  begin: number;
  end: number;
  text: string;
}

/** One after the other; what stands in `raw` is left out. */
function* partsOf(source: string): Generator<LiquidPiece> {
  const opening = /\{[{%]/g;
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const begin = found.index;
    const end = endOf(source, begin + 2, found[0] === '{{' ? '}}' : '%}');
    const text = source.slice(begin, end);
    yield { begin, end, text };
    opening.lastIndex = raw.test(text) ? endOfRaw(source, end) : end;
  }
}

/** Outside of Liquid nothing changes: a script in the page may use the same form. */
export const withUsualNames = (source: string, onPart: () => void): string => {
  let [written, from] = ['', 0];
  for (const { begin, end, text } of partsOf(source)) {
    onPart();
    written += source.slice(from, begin) + text.replace(dollarName, usual);
    from = end;
  }
  return written + source.slice(from);
};
