export interface Place {
  city: string;
  country: string;
  language: string;
  timeZone: string;
  /** Hours from UTC, roughly: people are awake at other times. */
  hours: number;
  currency: string;
  /** The value of a euro there, roughly. */
  rate: number;
  /** Numbers that no subscriber gets; `#` is a digit. Without any, people have no phone. */
  phone?: string;
}

/** City, country, language, time zone, hours, currency, rate, phone. */
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

const placeOf = ([city, country, language, timeZone, hours, currency, rate, phone]: Line): Place => ({
  ...{ city, country, language, timeZone, hours, currency, rate },
  ...(phone !== undefined && { phone }),
});

const [first, ...others] = lines;
export const places: readonly [Place, ...Place[]] = [placeOf(first), ...others.map(placeOf)];
