/** The language of a page: that of the person, else the first one of the browser that there are words for. */
import { languageOf } from '@roster/contract';
import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** By ISO 639-1 code. A new language is a file beside these and a line here. */
export const languages: ReadonlyMap<string, Words> = new Map(Object.entries({ en, de, es, fr }));

export interface Language {
  code: string;
  words: Words;
}

const english: Language = { code: 'en', words: en };

/** So much of an Accept-Language header is looked at. */
const longestHeader = 200;

/** `fr-CH, fr;q=0.9, en;q=0.8`: the codes, best first. */
const acceptedIn = (header: string): string[] =>
  header
    .slice(0, longestHeader)
    .split(',')
    .map((part) => {
      const [tag = '', ...settings] = part.split(';').map((text) => text.trim());
      const quality = Number(/^q=([\d.]{1,5})$/.exec(settings[0] ?? 'q=1')?.[1] ?? 0);
      return { tag, quality: Number.isNaN(quality) ? 0 : quality };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);

export const chooseLanguage = (ofPerson: string | undefined, acceptLanguage = ''): Language => {
  for (const wanted of [...(ofPerson === undefined ? [] : [ofPerson]), ...acceptedIn(acceptLanguage)]) {
    const code = languageOf(wanted);
    const words = code === undefined ? undefined : languages.get(code);
    if (code !== undefined && words) return { code, words };
  }
  return english;
};
