/** A text as its author may have meant it: without its escapes, or with the bytes that it spells. Each sign knows where it stands in the text. */

type Place = readonly [from: number, to: number];

export interface Reading {
  /** A character for each byte. */
  readonly text: string;
  readonly places: readonly Place[];
}

/** A character for each byte. */
export const inBytes = (text: string): string => Buffer.from(text).toString('latin1');

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

/** Of URLs, JSON, HTML, quoted-printable and programs. */
const escaped =
  /(?:%|\\+)u(?<four>[\da-f]{4})|(?:\\+u\{|&#x)0*(?<hex>[\da-f]{1,6})[};]?|(?:%|=|0x|\\+x)(?<byte>[\da-f]{2})|&#0*(?<decimal>\d{1,7});?|&(?<name>amp|lt|gt|quot|apos);/gi;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const meaningOf = ({ groups = {} }: RegExpExecArray): string => {
  const { four = '', hex = four, byte, decimal, name } = groups;
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  if (name !== undefined) return entities[name.toLowerCase()] ?? '';
  const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
  return inBytes(String.fromCodePoint(Math.min(code, 0x10ffff)));
};

/** An escape may itself be escaped; what a secret has of its own is none. */
const mostTimes = 3;

/** The last one first: with its escapes taken away as often as there are some. At the end as it stands. */
const unescapedIn = (text: string): readonly [Reading, ...Reading[]] => {
  const all: [Reading, ...Reading[]] = [byBytes(text)];
  for (let times = 0; times < mostTimes; times += 1) {
    const after = read(all[0], escaped, meaningOf);
    if (after.text === all[0].text) break;
    all.unshift(after);
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
  const [plain, ...before] = unescapedIn(text);
  const letters = lettersIn(plain);
  const base64 = read(plain, /[^a-z\d+/_-]+/gi, nothing);
  const others = [
    ...before,
    ...[0, 1].map((offset) => asHexadecimal(letters, offset)),
    ...[0, 1, 2, 3].map((offset) => asBase64(base64, offset)),
  ];
  return { whole: [plain, ...before], solid: [letters, ...others.map(lettersIn)] };
};
