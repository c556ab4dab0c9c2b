/** Names and other words of invented people. */

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

export const pages: Words = list('home search category offers account recipes');
export const devices: Words = list('phone phone phone tablet laptop');
