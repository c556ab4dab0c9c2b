/** Names, places and things to buy. */

export interface Place {
  city: string;
  country: string;
  language: string;
  timeZone: string;
  /** Hours from UTC, roughly: people are awake at other times. */
  hours: number;
  currency: string;
  /** What a euro is there, roughly. */
  rate: number;
  /** Numbers that are given to nobody; `#` is a digit. Where there are none, people have no phone. */
  phone?: string;
}

const germany = {
  country: 'DE',
  language: 'de',
  timeZone: 'Europe/Berlin',
  hours: 1,
  currency: 'EUR',
  rate: 1,
};
const france = {
  country: 'FR',
  language: 'fr',
  timeZone: 'Europe/Paris',
  hours: 1,
  currency: 'EUR',
  rate: 1,
};
const spain = {
  country: 'ES',
  language: 'es',
  timeZone: 'Europe/Madrid',
  hours: 1,
  currency: 'EUR',
  rate: 1,
};
const brazil = { country: 'BR', language: 'pt', currency: 'BRL', rate: 6 };
const sweden = { country: 'SE', language: 'sv', currency: 'SEK', rate: 11 };
const japan = { country: 'JP', language: 'ja', currency: 'JPY', rate: 160 };
const london = { timeZone: 'Europe/London', hours: 0, phone: '+447700900###' };
const britain = { country: 'GB', language: 'en', currency: 'GBP', rate: 0.86, ...london };
const usa = { country: 'US', language: 'en', currency: 'USD', rate: 1.1 };

export const places: readonly [Place, ...Place[]] = [
  { city: 'Berlin', ...germany },
  { city: 'Hamburg', ...germany },
  { city: 'Munich', ...germany },
  { city: 'Paris', ...france },
  { city: 'Lyon', ...france },
  { city: 'London', ...britain },
  { city: 'Leeds', ...britain },
  { city: 'New York', timeZone: 'America/New_York', hours: -5, phone: '+121255501##', ...usa },
  { city: 'Chicago', timeZone: 'America/Chicago', hours: -6, phone: '+131255501##', ...usa },
  { city: 'Seattle', timeZone: 'America/Los_Angeles', hours: -8, phone: '+120655501##', ...usa },
  { city: 'Madrid', ...spain },
  { city: 'São Paulo', timeZone: 'America/Sao_Paulo', hours: -3, ...brazil },
  { city: 'Stockholm', timeZone: 'Europe/Stockholm', hours: 1, ...sweden },
  { city: 'Tokyo', timeZone: 'Asia/Tokyo', hours: 9, ...japan },
];

type Words = readonly [string, ...string[]];

const list = (text: string): Words => {
  const [first = '', ...rest] = text.split(' ');
  return [first, ...rest];
};

export interface Names {
  women: Words;
  men: Words;
  last: Words;
}

const english: Names = {
  women: list('Alice Amelia Chloe Emma Grace Hannah Isla Olivia Ruby Sophie Zoe Megan'),
  men: list('Adam Daniel Ethan George Harry Jack Lewis Noah Oliver Samuel Thomas William'),
  last: list('Baker Bennett Carter Cooper Fletcher Hughes Mason Morgan Parker Reed Turner Walker'),
};

/** By language; English where there are none. */
const names: Readonly<Record<string, Names>> = {
  en: english,
  de: {
    women: list('Anna Clara Greta Hanna Ida Johanna Lena Marie Mia Paula'),
    men: list('Anton Ben Emil Felix Jonas Karl Leon Lukas Moritz Paul'),
    last: list('Becker Fischer Hoffmann Keller Lehmann Meyer Richter Schneider Vogel Weber'),
  },
  fr: {
    women: list('Camille Chloé Inès Jeanne Julie Léa Louise Manon Zoé'),
    men: list('Antoine Arthur Gabriel Hugo Jules Louis Lucas Paul Victor'),
    last: list('Bernard Blanc Dubois Fontaine Garnier Lambert Moreau Petit Rousseau'),
  },
  es: {
    women: list('Ana Carmen Elena Julia Lucía María Paula Sofía'),
    men: list('Alejandro Carlos Diego Javier Luis Mateo Pablo'),
    last: list('Castillo Fernández García Herrera Molina Ortega Romero Vega'),
  },
  pt: {
    women: list('Ana Beatriz Camila Helena Larissa Mariana'),
    men: list('Bruno Eduardo Gustavo João Lucas Rafael'),
    last: list('Almeida Barbosa Cardoso Oliveira Ribeiro Souza'),
  },
  sv: {
    women: list('Alva Astrid Ebba Elsa Freja Saga'),
    men: list('Axel Elias Gustav Nils Oskar Viktor'),
    last: list('Berg Ekström Holm Lindqvist Nyström Sandberg'),
  },
  ja: {
    women: list('Aoi Haruka Hina Mei Sakura Yui'),
    men: list('Daiki Haruto Kenta Ren Sota Yuto'),
    last: list('Fujita Kobayashi Mori Nakamura Sato Yamada'),
  },
};

export const namesIn = (language: string): Names => names[language] ?? english;

export interface Product {
  id: string;
  category: string;
  euros: number;
}

const shelf = (category: string, goods: Record<string, number>): Product[] =>
  Object.entries(goods).map(([id, euros]) => ({ id, category, euros }));

export const products: readonly Product[] = [
  ...shelf('tea', {
    'darjeeling-100g': 12.9,
    'earl-grey-100g': 8.5,
    'sencha-100g': 14.2,
    'rooibos-200g': 9.9,
  }),
  ...shelf('coffee', { 'espresso-beans-1kg': 21.9, 'filter-beans-500g': 13.5, 'decaf-250g': 8.9 }),
  ...shelf('kitchen', { 'teapot-glass': 34, 'kettle-gooseneck': 69, 'grinder-hand': 54.5, 'mug-blue': 11 }),
  ...shelf('books', { 'book-of-tea': 18, 'baking-basics': 24.9 }),
  ...shelf('sweets', { shortbread: 5.9, 'dark-chocolate': 3.8, marzipan: 7.2 }),
];

export const categories: readonly string[] = [...new Set(products.map(({ category }) => category))];

export const pages: Words = list('home search category offers account recipes');
export const devices: Words = list('phone phone phone tablet laptop');
