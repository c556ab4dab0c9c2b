/** How a text leaves as text messages: 160 characters of GSM-7 (3GPP 23.038) or 70 of UCS-2 in one, a little less in each of several. */

const isPlain =
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\f^{}\\[~\]|€]*$/;

/** They are written as two in GSM-7. */
const doubled = /[\f^{}\\[~\]|€]/g;

const encodings = {
  'GSM-7': {
    alone: 160,
    each: 153,
    unitsIn: (text: string) => text.length + (text.match(doubled)?.length ?? 0),
  },
  'UCS-2': { alone: 70, each: 67, unitsIn: (text: string) => text.length },
};

/** A character stays in one segment, if it fits into one. */
const segmentsIn = (sizes: readonly number[], each: number): number => {
  let [segments, left] = [0, 0];
  for (const size of sizes) {
    if (size > left) {
      segments += Math.ceil(size / each);
      left = each * Math.ceil(size / each);
    }
    left -= size;
  }
  return segments;
};

export const segmentsOf = (text: string) => {
  const encoding = isPlain.test(text) ? 'GSM-7' : 'UCS-2';
  const { alone, each, unitsIn } = encodings[encoding];
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const sizes = Array.from(graphemes.segment(text), ({ segment }) => unitsIn(segment));
  const units = unitsIn(text);
  return {
    encoding,
    characters: sizes.length,
    units,
    segments: units <= alone ? 1 : segmentsIn(sizes, each),
  };
};
