// From a schema to the text of its type. A shared shape becomes a type of its own.
import { publishedKeyword, shapeName } from '@roster/contract';

const wrap = (text, width) => {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + word.length + 1 > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
};

export const comment = (text, indent) => {
  const lines = wrap(text.replaceAll('*/', '*\u2215'), 110);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n');
};

const plainTypes = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const quoted = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const anyMembers = '[name: string]: unknown;';

export const createTypes = () => {
  const shapes = new Map();

  const objectOf = (schema, indent) => {
    const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
    const inner = `${indent}  `;
    const members = Object.entries(properties).map(([name, member]) => {
      const words = member.description ? `${comment(member.description, inner)}\n` : '';
      const mark = required.includes(name) ? '' : '?';
      return `${words}${inner}${quoted(name)}${mark}: ${typeOf(member, inner)};`;
    });
    const [pattern] = Object.values(patternProperties ?? {});
    const isOpen =
      members.length === 0 || (additionalProperties !== undefined && additionalProperties !== false);
    if (pattern) members.push(`${inner}[name: string]: ${typeOf(pattern, inner)};`);
    else if (isOpen) members.push(`${inner}${anyMembers}`);
    return `{\n${members.join('\n')}\n${indent}}`;
  };

  const listOf = ({ items, minItems, maxItems }, indent) => {
    const item = items ? typeOf(items, indent) : 'unknown';
    if (minItems !== undefined && minItems === maxItems && minItems <= 4)
      return `[${Array(minItems).fill(item).join(', ')}]`;
    return `Array<${item}>`;
  };

  const kindOf = (kind, schema, indent) => {
    if (kind === 'object') return objectOf(schema, indent);
    return kind === 'array' ? listOf(schema, indent) : (plainTypes[kind] ?? 'unknown');
  };

  const writtenOut = (schema, indent) => {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    const values = schema.enum ?? schema[publishedKeyword]?.enum;
    if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
    const either = schema.type === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;
    if (either) return [...new Set(either.map((one) => typeOf(one, indent)))].join(' | ');
    const kinds = [schema.type ?? []].flat();
    if (kinds.length === 0) return 'unknown';
    return kinds.map((kind) => kindOf(kind, schema, indent)).join(' | ');
  };

  function typeOf(schema, indent) {
    const name = shapeName(schema);
    if (name === undefined) return writtenOut(schema, indent);
    if (!shapes.has(name)) {
      shapes.set(name, '');
      const words = schema.description ? `${comment(schema.description, '')}\n` : '';
      shapes.set(name, `${words}type ${name} = ${writtenOut(schema, '')};`);
    }
    return name;
  }

  return { typeOf, named: () => [...shapes.values()] };
};
