/** The words of a stranger, for operators: on one line, short, and without secrets. */
import { inBytes, type Reading, readingsOf, solid } from './readings.ts';

/** So many characters of a secret in a row are never shown; a shorter secret is not shown whole. */
const pieceLength = 8;
/** Shorter texts are no secrets: they stand in every sentence. */
const shortestSecret = 4;

const most = { read: 1_000, told: 300 };
const hidden = '***';

/** Line breaks, and characters that steer a terminal or the direction of a text. */
const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');

/** Each character stays in its place. */
const withoutCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The characters that are the same whatever stands before and after the bytes, for each of the three places in a group of base64. */
const base64Parts = (bytes: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });

const inBase64 = (bytes: Buffer): string[] => {
  const texts = [...base64Parts(bytes), bytes.toString('base64').replace(/=+$/, '')];
  return [...texts, ...texts.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
};

const html: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapes: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  (text) => text.replace(/[&<>"']/g, (sign) => html[sign] ?? sign),
];

/** As it may be repeated. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [bytes.toString(), ...inBase64(bytes), bytes.toString('hex')].flatMap((text) =>
    escapes.map((escaped) => inBytes(withoutCase(onOneLine(escaped(text)).trim()))),
  );
};

const piecesOfOne = (text: string): string[] =>
  Array.from({ length: Math.max(1, text.length - pieceLength + 1) }, (_, at) =>
    text.slice(at, at + pieceLength),
  );

interface Pieces {
  /** Those of a short secret are shorter. */
  readonly lengths: readonly number[];
  readonly texts: ReadonlySet<string>;
}

const piecesIn = (forms: readonly string[]): Pieces => {
  const texts = new Set(forms.flatMap(piecesOfOne));
  const lengths = new Set([...texts].map(({ length }) => length));
  return { texts, lengths: [...lengths].sort((one, other) => other - one) };
};

interface Known {
  /** Of each form of a secret. */
  readonly all: Pieces;
  /** Of its letters and digits alone. */
  readonly solid: Pieces;
}

const piecesOf = (secrets: readonly string[]): Known => {
  const forms = secrets.filter(({ length }) => length >= shortestSecret).flatMap(formsOf);
  const letters = forms.map((form) => form.replace(solid, ''));
  return {
    all: piecesIn(forms.filter(({ length }) => length >= shortestSecret)),
    solid: piecesIn(letters.filter(({ length }) => length >= pieceLength)),
  };
};

/** A long key has 100,000 pieces: they are made once for each list of secrets. */
const known = new WeakMap<readonly string[], Known>();

const knownPiecesOf = (secrets: readonly string[]): Known => {
  const pieces = known.get(secrets) ?? piecesOf(secrets);
  known.set(secrets, pieces);
  return pieces;
};

/** How many characters from this place on are of a secret. */
const hiddenFrom = (text: string, at: number, { lengths, texts }: Pieces): number => {
  for (const length of lengths)
    if (at + length <= text.length && texts.has(text.slice(at, at + length))) return length;
  return 0;
};

/** What a reading shows of a secret, by its places in the text. */
const foundIn = ({ text, places }: Reading, pieces: Pieces, hide: (at: number) => void): void => {
  const plain = withoutCase(text);
  for (let at = 0; at < text.length; at += 1) {
    const length = hiddenFrom(plain, at, pieces);
    const [from = 0] = places[at] ?? [];
    const [, to = 0] = (length > 0 && places[at + length - 1]) || [];
    for (let place = from; place < to; place += 1) hide(place);
  }
};

const masked = (text: string, { all, solid }: Known): string => {
  const isHidden = new Set<number>();
  const hide = (at: number): void => void isHidden.add(at);
  const readings = readingsOf(text);
  for (const reading of readings.whole) foundIn(reading, all, hide);
  for (const reading of readings.solid) foundIn(reading, solid, hide);
  let shown = '';
  for (let at = 0; at < text.length; at += 1)
    if (!isHidden.has(at)) shown += text.charAt(at);
    else if (!isHidden.has(at - 1)) shown += hidden;
  return shown;
};

export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  masked(onOneLine(text).trim().slice(0, most.read), knownPiecesOf(secrets)).slice(0, most.told);
