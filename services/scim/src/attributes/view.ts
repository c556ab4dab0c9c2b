/** `attributes` and `excludedAttributes`: RFC 7644 3.9. */
import { scimSchemas } from '@roster/contract';
import { type Attribute, isResource, type Resource, type ScimValue } from './attribute.ts';
import { findChain, isExtension } from './names.ts';

export interface Picking {
  only?: string[] | undefined;
  without?: string[] | undefined;
}

type ViewPath = string[];

/** A name that users do not have picks nothing. */
const pathOf = (attributes: readonly Attribute[], name: string): ViewPath | undefined => {
  if (isExtension(name)) return [scimSchemas.extension];
  const chain = findChain(attributes, name)?.map((attribute) => attribute.name);
  const isInside = name.toLowerCase().startsWith(`${scimSchemas.extension.toLowerCase()}:`);
  return chain && isInside ? [scimSchemas.extension, ...chain] : chain;
};

const each = (value: ScimValue, change: (part: Resource) => Resource): ScimValue => {
  if (Array.isArray(value)) return value.map((item) => each(item, change));
  return isResource(value) ? change(value) : value;
};

const picked = (from: Resource, paths: readonly ViewPath[]): Resource => {
  const result: Resource = {};
  for (const [name, value] of Object.entries(from)) {
    const rests = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (rests.length === 0 || value === undefined) continue;
    result[name] = rests.some((rest) => rest.length === 0)
      ? value
      : each(value, (part) => picked(part, rests));
  }
  return result;
};

const dropped = (from: Resource, [first = '', ...rest]: ViewPath): Resource => {
  const value = from[first];
  if (value === undefined) return from;
  const { [first]: _gone, ...others } = from;
  return rest.length === 0 ? others : { ...from, [first]: each(value, (part) => dropped(part, rest)) };
};

const pathsOf = (attributes: readonly Attribute[], names: readonly string[]): ViewPath[] =>
  [
    ...new Map(names.map((name) => pathOf(attributes, name)).map((path) => [path?.join(), path])).values(),
  ].filter((path) => path !== undefined);

export const view = (attributes: readonly Attribute[], { only, without }: Picking) => {
  const always = attributes.filter((attribute) => attribute.always).map(({ name }) => [name]);
  if (only) {
    const wanted = [...always, ...pathsOf(attributes, only)];
    return (resource: Resource): Resource => picked(resource, wanted);
  }
  const isAlways = ([name]: ViewPath): boolean => always.some(([known]) => known === name);
  const unwanted = pathsOf(attributes, without ?? []).filter((path) => !isAlways(path));
  return (resource: Resource): Resource => unwanted.reduce(dropped, resource);
};

const list = (text: string | undefined): string[] | undefined => {
  const names = text?.split(',').map((name) => name.trim());
  const present = names?.filter((name) => name !== '');
  return present && present.length > 0 ? present : undefined;
};

export const pickingIn = (query: Record<string, string> = {}): Picking => ({
  only: list(query.attributes),
  without: list(query.excludedAttributes),
});
