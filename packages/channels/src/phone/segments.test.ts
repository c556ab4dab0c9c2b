/** Segments are as a calculator of others counts them. */
import { SegmentedMessage } from 'sms-segments-calculator';
import { segmentsOf } from './segments.ts';

it.each([
  ['nothing', ''],
  ['160 letters', 'a'.repeat(160)],
  ['161 letters', 'a'.repeat(161)],
  ['three full segments', 'a'.repeat(153 * 3)],
  ['one more', 'a'.repeat(153 * 3 + 1)],
  ['letters of two places', '€'.repeat(80)],
  ['more of them', '€'.repeat(81)],
  ['one that would be cut', `${'a'.repeat(152)}${'€'.repeat(10)}`],
  ['all signs of the extension', 'Grüße, {Ada}\n[x] ~ ^ | \\'],
  ['letters with accents of GSM-7', 'é'.repeat(161)],
  ['70 letters of UCS-2', 'ё'.repeat(70)],
  ['71 letters of UCS-2', 'ё'.repeat(71)],
  ['a pair that would be cut', `${'ё'.repeat(66)}👍${'ё'.repeat(10)}`],
  ['pairs', '👍'.repeat(36)],
  ['families', '👨‍👩‍👧'.repeat(20)],
  ['accents that stand apart', 'e\u0301'.repeat(71)],
])('counts %s as they do', (_, text) => {
  const theirs = new SegmentedMessage(text);
  expect(segmentsOf(text)).toMatchObject({
    encoding: theirs.encodingName,
    segments: theirs.segmentsCount,
    [theirs.encodingName === 'UCS-2' ? 'characters' : 'units']: theirs.numberOfCharacters,
  });
});

it('knows every character of GSM-7, and no others', () => {
  const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code));
  const ours = all.filter((one) => segmentsOf(one).encoding === 'GSM-7');
  expect(ours.join('')).toBe(
    all.filter((one) => new SegmentedMessage(one).encodingName === 'GSM-7').join(''),
  );
});

it('counts a character that is larger than a segment', () => {
  expect(segmentsOf(`a${'\u0301'.repeat(134)}`)).toMatchObject({ characters: 1, segments: 3 });
});
