/** Files that are no text of lines: what they are, and what makes one of them. */
import { isUtf8 } from 'node:buffer';
import { wrong } from '../result.ts';

const startsWith =
  (...start: number[]) =>
  (bytes: Buffer): boolean =>
    start.every((byte, at) => bytes[at] === byte);

const isUtf16 = (bytes: Buffer): boolean =>
  startsWith(0xff, 0xfe)(bytes) || startsWith(0xfe, 0xff)(bytes) || bytes.subarray(0, 2).includes(0);

const workbook =
  'the file is a workbook, which is no text. Save it as "CSV UTF-8" (in LibreOffice: Text CSV, character set UTF-8), and import that file.';

const pageOfTable =
  'the file is HTML or XML, as some programs write a workbook. Open it in a program for tables, and save it as "CSV UTF-8".';

/** Before it is read: what its name says. */
export const checkName = (file: string): void => {
  if (/\.(xls[xmb]?|ods|fods|numbers)$/i.test(file)) throw wrong(workbook);
};

const kinds: readonly [is: (bytes: Buffer) => boolean, sentence: string][] = [
  [
    startsWith(0x50, 0x4b, 0x03, 0x04),
    'the file is a workbook of Excel, or a ZIP archive. Save it as "CSV UTF-8", or unpack it.',
  ],
  [startsWith(0xd0, 0xcf, 0x11, 0xe0), workbook],
  [(bytes) => /^(\uFEFF)?\s*<(\?xml|!doctype|html|table)/i.test(bytes.toString('utf8', 0, 64)), pageOfTable],
  [startsWith(0x1f, 0x8b), 'the file is compressed. Unpack it: gunzip people.csv.gz'],
  [
    isUtf16,
    'the file is UTF-16 ("Unicode text" of Excel). Save it as "CSV UTF-8", or convert it: iconv -f UTF-16 -t UTF-8 people.txt > people.csv',
  ],
];

/** `bytes`: the first record. */
export const checkKind = (bytes: Buffer): void => {
  const kind = kinds.find(([is]) => is(bytes));
  if (kind) throw wrong(kind[1]);
};

/** The first line of CSV, as programs for tables write it. */
export const checkHeader = (bytes: Buffer, text: string): void => {
  if (!isUtf8(bytes))
    throw wrong(
      'the first line is not UTF-8. Save the file as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8 people.csv > utf8.csv',
    );
  const [, separator] = /^"?sep=(.)"?$/i.exec(text) ?? [];
  if (separator !== undefined)
    throw wrong(
      `the first line is sep=${separator}, which only Excel reads. Remove it (tail -n +2 people.csv > rows.csv), and add --delimiter ${separator === '\t' ? 'tab' : `'${separator}'`}.`,
    );
  if (/\r(?!\n)/.test(text))
    throw wrong(
      `the lines do not end as they do elsewhere ("CSV Macintosh" of Excel). Save the file as "CSV UTF-8", or convert it: tr '\\r' '\\n' < people.csv > lines.csv`,
    );
};
