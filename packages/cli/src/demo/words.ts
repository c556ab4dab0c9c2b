/** Names, places and things to buy. */

/**
 * City, country, language, time zone, hours from UTC (people are awake at other times), currency, the value of a euro there, and
 * phone numbers that no subscriber gets: `#` is a digit; without any, people have no phone. Hours and values are rough.
 */
type Line = [string, string, string, string, number, string, number, string?];

const lines: readonly [Line, ...Line[]] = [
  ['Berlin', 'DE', 'de', 'Europe/Berlin', 1, 'EUR', 1],
  ['Hamburg', 'DE', 'de', 'Europe/Berlin', 1, 'EUR', 1],
  ['Munich', 'DE', 'de', 'Europe/Berlin', 1, 'EUR', 1],
  ['Paris', 'FR', 'fr', 'Europe/Paris', 1, 'EUR', 1],
  ['Lyon', 'FR', 'fr', 'Europe/Paris', 1, 'EUR', 1],
  ['London', 'GB', 'en', 'Europe/London', 0, 'GBP', 0.86, '+447700900###'],
  ['Leeds', 'GB', 'en', 'Europe/London', 0, 'GBP', 0.86, '+447700900###'],
  ['New York', 'US', 'en', 'America/New_York', -5, 'USD', 1.1, '+121255501##'],
  ['Chicago', 'US', 'en', 'America/Chicago', -6, 'USD', 1.1, '+131255501##'],
  ['Seattle', 'US', 'en', 'America/Los_Angeles', -8, 'USD', 1.1, '+120655501##'],
  ['Madrid', 'ES', 'es', 'Europe/Madrid', 1, 'EUR', 1],
  ['São Paulo', 'BR', 'pt', 'America/Sao_Paulo', -3, 'BRL', 6],
  ['Stockholm', 'SE', 'sv', 'Europe/Stockholm', 1, 'SEK', 11],
  ['Tokyo', 'JP', 'ja', 'Asia/Tokyo', 9, 'JPY', 160],
];

const placeOf = ([city, country, language, timeZone, hours, currency, rate, phone]: Line) => {
  return { city, country, language, timeZone, hours, currency, rate, phone };
};

export type Place = ReturnType<typeof placeOf>;

const [first, ...others] = lines;
export const places: readonly [Place, ...Place[]] = [placeOf(first), ...others.map(placeOf)];

type Words = readonly [string, ...string[]];

const list = (text: string): Words => {
  const [one = '', ...rest] = text.split(' ');
  return [one, ...rest];
};

/** By language: names of women, names of men, last names. */
const names: Readonly<Record<string, readonly [women: string, men: string, last: string]>> = {
  en: [
    'Alice Amelia Chloe Emma Grace Hannah Isla Olivia Ruby Sophie Zoe Megan',
    'Adam Daniel Ethan George Harry Jack Lewis Noah Oliver Samuel Thomas William',
    'Baker Bennett Carter Cooper Fletcher Hughes Mason Morgan Parker Reed Turner Walker',
  ],
  de: [
    'Anna Clara Greta Hanna Ida Johanna Lena Marie Mia Paula',
    'Anton Ben Emil Felix Jonas Karl Leon Lukas Moritz Paul',
    'Becker Fischer Hoffmann Keller Lehmann Meyer Richter Schneider Vogel Weber',
  ],
  fr: [
    'Camille Chloé Inès Jeanne Julie Léa Louise Manon Zoé',
    'Antoine Arthur Gabriel Hugo Jules Louis Lucas Paul Victor',
    'Bernard Blanc Dubois Fontaine Garnier Lambert Moreau Petit Rousseau',
  ],
  es: [
    'Ana Carmen Elena Julia Lucía María Paula Sofía',
    'Alejandro Carlos Diego Javier Luis Mateo Pablo',
    'Castillo Fernández García Herrera Molina Ortega Romero Vega',
  ],
  pt: [
    'Ana Beatriz Camila Helena Larissa Mariana',
    'Bruno Eduardo Gustavo João Lucas Rafael',
    'Almeida Barbosa Cardoso Oliveira Ribeiro Souza',
  ],
  sv: [
    'Alva Astrid Ebba Elsa Freja Saga',
    'Axel Elias Gustav Nils Oskar Viktor',
    'Berg Ekström Holm Lindqvist Nyström Sandberg',
  ],
  ja: [
    'Aoi Haruka Hina Mei Sakura Yui',
    'Daiki Haruto Kenta Ren Sota Yuto',
    'Fujita Kobayashi Mori Nakamura Sato Yamada',
  ],
};

export const namesIn = (language: string): { women: Words; men: Words; last: Words } => {
  const [women = '', men = '', last = ''] = names[language] ?? [];
  return { women: list(women), men: list(men), last: list(last) };
};

export interface Product {
  id: string;
  category: string;
  euros: number;
}

const shelves: Readonly<Record<string, Record<string, number>>> = {
  tea: { 'darjeeling-100g': 12.9, 'earl-grey-100g': 8.5, 'sencha-100g': 14.2, 'rooibos-200g': 9.9 },
  coffee: { 'espresso-beans-1kg': 21.9, 'filter-beans-500g': 13.5, 'decaf-250g': 8.9 },
  kitchen: { 'teapot-glass': 34, 'kettle-gooseneck': 69, 'grinder-hand': 54.5, 'mug-blue': 11 },
  books: { 'book-of-tea': 18, 'baking-basics': 24.9 },
  sweets: { shortbread: 5.9, 'dark-chocolate': 3.8, marzipan: 7.2 },
};

export const products: readonly Product[] = Object.entries(shelves).flatMap(([category, goods]) =>
  Object.entries(goods).map(([id, euros]) => ({ id, category, euros })),
);

export const categories: readonly string[] = Object.keys(shelves);

export const pages: Words = list('home search category offers account recipes');
export const devices: Words = list('phone phone phone tablet laptop');
