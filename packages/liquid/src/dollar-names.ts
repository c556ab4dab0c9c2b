/**
 * Names in the form `${name}`, as the interface writes them: `{{content_blocks.${footer}}}`, `{{${first_name}}}`. They become usual Liquid of
 * the same length, so that lines and columns stay: `.${footer}` is `["footer"]`, and `${first_name}` is `   first_name`.
 */

const dollarName = /(\.?)\$\{([^{}"\\\r\n]{0,255})\}/g;

const usual = (_whole: string, dot: string, name: string): string =>
  dot === '' ? `   ${name}` : `["${name}"]`;

const isName = /\$\{[^{}"\\\r\n]{0,255}\}/y;

/** From the opening braces on: the end of the part, where `}` of a name does not count. Never later than where liquidjs sees it. */
const endOf = (source: string, from: number, closing: string): number => {
  let at = from;
  for (;;) {
    const end = source.indexOf(closing, at);
    if (end < 0) return source.length;
    const open = source.indexOf('${', at);
    if (open < 0 || open > end) return end + closing.length;
    isName.lastIndex = open;
    at = isName.test(source) ? isName.lastIndex : open + 2;
  }
};

const raw = /^\{%-?\s*raw\s*-?%\}$/;
const endRaw = /\{%-?\s*endraw\s*-?%\}/g;

const endOfRaw = (source: string, from: number): number => {
  endRaw.lastIndex = from;
  return endRaw.test(source) ? endRaw.lastIndex : source.length;
};

/** A piece of Liquid in a source. */
interface Part {
  begin: number;
  end: number;
  text: string;
}

/** The parts in order; the content of `raw` is left out. */
export function* partsOf(source: string): Generator<Part> {
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
export const withUsualNames = (source: string): string => {
  let [written, from] = ['', 0];
  for (const { begin, end, text } of partsOf(source)) {
    written += source.slice(from, begin) + text.replace(dollarName, usual);
    from = end;
  }
  return written + source.slice(from);
};
