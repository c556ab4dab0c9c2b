/** A text as its author may have meant it: without its escapes, or with the bytes that it spells. Each sign knows where it stands in the text. */

type Place = readonly [from: number, to: number];

export interface Reading {
  /** A character for each byte. */
  readonly text: string;
  readonly places: readonly Place[];
}

const inBytes = (text: string): string => Buffer.from(text).toString('latin1');

const byBytes = (text: string): Reading => {
  const places: Place[] = [];
  let bytes = '';
  let at = 0;
  for (const sign of text) {
    const end = at + sign.length;
    for (const byte of inBytes(sign)) {
      bytes += byte;
      places.push([at, end]);
    }
    at = end;
  }
  return { text: bytes, places };
};

/** Each match is read as something else, or as nothing. */
const read = (
  { text, places }: Reading,
  pattern: RegExp,
  as: (match: RegExpExecArray) => string,
): Reading => {
  const newPlaces: Place[] = [];
  let [newText, at] = ['', 0];
  const keep = (until: number): void => {
    newText += text.slice(at, until);
    newPlaces.push(...places.slice(at, until));
  };
  for (const match of text.matchAll(pattern)) {
    keep(match.index);
    at = match.index + match[0].length;
    const [from, to] = [places[match.index]?.[0] ?? 0, places[at - 1]?.[1] ?? 0];
    const meaning = as(match);
    newText += meaning;
    for (const _ of meaning) newPlaces.push([from, to]);
  }
  keep(text.length);
  return { text: newText, places: newPlaces };
};

const nothing = (): string => '';

/** Of URLs, JSON, HTML, quoted-printable and programs: in hexadecimal, unless it has a name. */
const escaped =
  /%u([\da-f]{4})|%([\da-f]{2})|\\+u\{0*([\da-f]{1,6})\}|\\+u([\da-f]{4})|\\+x([\da-f]{2})|&#x0*([\da-f]{1,6});?|=([\da-f]{2})|0x([\da-f]{2})|&#0*(?<decimal>\d{1,7});?|&(?<name>amp|lt|gt|quot|apos);/gi;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const characterOf = (number: number): string =>
  number < 256 ? String.fromCharCode(number) : inBytes(String.fromCodePoint(Math.min(number, 0x10ffff)));

const meaningOf = (found: RegExpExecArray): string => {
  const { decimal, name } = found.groups ?? {};
  if (name !== undefined) return entities[name.toLowerCase()] ?? '';
  if (decimal !== undefined) return characterOf(Number(decimal));
  const digits = found.slice(1).find((one) => one !== undefined) ?? '';
  return characterOf(Number.parseInt(digits, 16));
};

/** An escape may itself be escaped; what a secret has of its own is none. */
const mostTimes = 3;

/** As it stands, and with its escapes taken away once, twice... */
const unescapedIn = (text: string): Reading[] => {
  const all = [byBytes(text)];
  for (let times = 0; times < mostTimes; times += 1) {
    const before = all.at(-1) ?? byBytes(text);
    const after = read(before, escaped, meaningOf);
    if (after.text === before.text) break;
    all.push(after);
  }
  return all;
};

/** Its letters and digits: whatever stands between them. */
export const solid = /[^a-z\d]+/gi;

const asHexadecimal = (reading: Reading, offset: number): Reading =>
  read(
    read(reading, new RegExp(`(?<![\\da-f])[\\da-f]{${offset}}`, 'gi'), nothing),
    /[\da-f]{2}/gi,
    ([pair]) => String.fromCharCode(Number.parseInt(pair, 16)),
  );

const asBase64 = ({ text, places }: Reading, offset: number): Reading =>
  read({ text: text.slice(offset), places: places.slice(offset) }, /.{2,4}/gs, ([group]) =>
    Buffer.from(group, 'base64').toString('latin1'),
  );

export interface Readings {
  readonly whole: readonly Reading[];
  /** Of letters and digits alone. */
  readonly solid: readonly Reading[];
}

const lettersIn = (reading: Reading): Reading => read(reading, solid, nothing);

export const readingsOf = (text: string): Readings => {
  const whole = unescapedIn(text);
  const solids = whole.map(lettersIn);
  const last = whole.at(-1);
  const letters = solids.at(-1);
  if (!last || !letters) return { whole, solid: solids };
  const base64 = read(last, /[^a-z\d+/_-]+/gi, nothing);
  const decoded = [
    ...[0, 1].map((offset) => asHexadecimal(letters, offset)),
    ...[0, 1, 2, 3].map((offset) => asBase64(base64, offset)),
  ];
  return { whole, solid: [...solids, ...decoded.map(lettersIn)] };
};
