/** Finds the tags of a head in HTML that somebody else wrote, in one way forward: each letter is looked at a few times, whatever stands there. */

export interface HeadTag {
  name: 'html' | 'head' | 'meta' | 'title';
  /** What stands between its name and its `>`. */
  text: string;
  /** The place after its `>`. */
  end: number;
}

const names: ReadonlySet<string> = new Set(['html', 'head', 'meta', 'title'] satisfies HeadTag['name'][]);
const isName = (name: string): name is HeadTag['name'] => names.has(name);

const longestName = 5;

/** The name of a tag that begins here, without its `<`. */
const nameAt = (html: string, place: number): string =>
  /^([a-z]+)[\s>]/i.exec(html.slice(place, place + longestName + 1))?.[1]?.toLowerCase() ?? '';

/** A tag without its `>` is none, nor is anything inside a tag that was found. */
export function* headTagsIn(html: string): Generator<HeadTag> {
  let place = html.indexOf('<');
  while (place >= 0) {
    const name = nameAt(html, place + 1);
    if (isName(name)) {
      const close = html.indexOf('>', place);
      if (close < 0) return;
      yield { name, text: html.slice(place + 1 + name.length, close), end: close + 1 };
      place = close;
    }
    place = html.indexOf('<', place + 1);
  }
}
