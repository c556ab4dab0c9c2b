/** An attribute of a resource: RFC 7643 section 7. What is served as its schema is what requests are held to. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  description: string;
  many?: true;
  /** Of a list: so many elements at most, `limits.values` unless said otherwise. */
  most?: 'emails' | 'values';
  required?: true;
  caseExact?: true;
  readOnly?: true;
  unique?: true;
  /** Always sent, whatever is asked for. */
  always?: true;
  /** The values that are known; others may be refused. */
  values?: readonly string[];
  sub?: readonly Attribute[];
}

/** A resource, or a part of one, on its way through the service. */
export type ScimValue = string | boolean | ScimValue[] | Resource;
export interface Resource {
  [name: string]: ScimValue | undefined;
}

export const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textAt = (from: Resource, name: string): string | undefined => {
  const value = from[name];
  return typeof value === 'string' ? value : undefined;
};

export const listAt = (from: Resource, name: string): ScimValue[] => {
  const value = from[name];
  return Array.isArray(value) ? value : [];
};

/** Names of attributes are the same in any letter case: RFC 7643 2.1. */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
};
