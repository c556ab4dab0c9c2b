/** What a person wants to know of a text message or a WhatsApp message before they read its request. */
import { stringifyExact } from '@roster/contract';
import { allAt, textAt } from '../json.ts';
import type { Outgoing } from '../outgoing.ts';
import { segmentsOf } from './segments.ts';

export type About = Readonly<Record<string, string>>;

type Content = Outgoing['content'];

/** The items of a list, if there is one. */
const itemsAt = (name: string, value: unknown): unknown[] =>
  allAt(`${name}.*`, value).filter((item) => item !== undefined);

/** With pictures it is one MMS, whatever its length. */
export const aboutSms = (content: Content): About => {
  const { encoding, characters, units, segments } = segmentsOf(String(content.body ?? ''));
  const counted = units === characters ? '' : ` (counted as ${units})`;
  const pictures = itemsAt('media_items', content).length;
  const parts: About = pictures > 0 ? { pictures: `${pictures}, as MMS` } : { segments: String(segments) };
  return { encoding, characters: `${characters}${counted}`, ...parts };
};

/** A text, the text that stands for a value, the address of a file, or else all of it. */
const shownValue = (parameter: unknown): string => {
  const kind = textAt('type', parameter) ?? '';
  const places = ['text', `${kind}.fallback_value`, `${kind}.link`, `${kind}.id`, 'payload', 'coupon_code'];
  const [found] = places.flatMap((place) => textAt(place, parameter) ?? []);
  return found ?? stringifyExact(parameter);
};

const partOf = (component: unknown): string =>
  ['type', 'sub_type', 'index'].flatMap((name) => textAt(name, component) ?? []).join(' ');

const parametersIn = (template: unknown): [string, string][] =>
  itemsAt('components', template).flatMap((component) =>
    itemsAt('parameters', component).map((parameter, place): [string, string] => [
      `${partOf(component)}: ${textAt('parameter_name', parameter) ?? place + 1}`,
      shownValue(parameter),
    ]),
  );

/** A template by its name, with its parameters: the provider has its text. */
export const aboutWhatsApp = ({ message, message_type }: Content): About => {
  const kind = String(message_type);
  if (kind !== 'template') return { kind };
  const language = textAt('language.code', message) ?? textAt('language', message);
  return {
    template: textAt('name', message) ?? '',
    ...(language !== undefined && { language }),
    ...Object.fromEntries(parametersIn(message)),
  };
};
