/** The words of a stranger, for operators: on one line, short, and without secrets. */

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
    escapes.map((escaped) => withoutCase(onOneLine(escaped(text)).trim())),
  );
};

const piecesIn = (text: string): string[] =>
  Array.from({ length: Math.max(1, text.length - pieceLength + 1) }, (_, at) =>
    text.slice(at, at + pieceLength),
  );

const piecesOf = (secrets: readonly string[]): ReadonlySet<string> => {
  const forms = secrets.filter(({ length }) => length >= shortestSecret).flatMap(formsOf);
  return new Set(forms.filter(({ length }) => length >= shortestSecret).flatMap(piecesIn));
};

/** A long key has 50,000 pieces: they are made once for each list of secrets. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>();

const knownPiecesOf = (secrets: readonly string[]): ReadonlySet<string> => {
  const pieces = known.get(secrets) ?? piecesOf(secrets);
  known.set(secrets, pieces);
  return pieces;
};

/** How many characters from this place on are of a secret. */
const hiddenFrom = (text: string, at: number, pieces: ReadonlySet<string>): number => {
  for (let length = pieceLength; length >= shortestSecret; length -= 1)
    if (at + length <= text.length && pieces.has(text.slice(at, at + length))) return length;
  return 0;
};

const masked = (text: string, pieces: ReadonlySet<string>): string => {
  const plain = withoutCase(text);
  let [shown, until] = ['', 0];
  for (let at = 0; at < text.length; at += 1) {
    const end = at + hiddenFrom(plain, at, pieces);
    if (end > at && at >= until) shown += hidden;
    until = Math.max(until, end);
    if (at >= until) shown += text.charAt(at);
  }
  return shown;
};

export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  masked(onOneLine(text).trim().slice(0, most.read), knownPiecesOf(secrets)).slice(0, most.told);
