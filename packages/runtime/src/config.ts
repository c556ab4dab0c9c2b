import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** Something the operator has to put right before the process can start. Its message is meant to be read. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.length === 1 ? `${problems[0]}` : problems.map((problem) => `\n  - ${problem}`).join(''));
    this.name = 'ConfigError';
  }
}

const yes = ['true', '1', 'yes'];
const no = ['false', '0', 'no'];

const isNumeric = (schema: TSchema): boolean => schema[Kind] === 'Integer' || schema[Kind] === 'Number';

/** The text of a variable as the type that its schema asks for; text that cannot be turned stays as it is and fails the check. */
const parse = (schema: TSchema, text: string): unknown => {
  if (isNumeric(schema)) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (schema[Kind] !== 'Boolean') return text;
  const word = text.toLowerCase();
  return yes.includes(word) || (no.includes(word) ? false : text);
};

const numberWanted = (schema: TSchema): string => {
  const kind = schema[Kind] === 'Integer' ? 'a whole number' : 'a number';
  if (schema.minimum === undefined) return kind;
  return schema.maximum === undefined
    ? `${kind} from ${schema.minimum} on`
    : `${kind} from ${schema.minimum} to ${schema.maximum}`;
};

/** What a right value looks like, for people. */
export const wanted = (schema: TSchema): string => {
  if (typeof schema.hint === 'string') return schema.hint;
  if (isNumeric(schema)) return numberWanted(schema);
  if (schema[Kind] === 'Boolean') return 'true or false';
  if (Array.isArray(schema.anyOf)) return `one of ${schema.anyOf.map((option) => option.const).join(', ')}`;
  return 'text';
};

const problemOf = (name: string, schema: TSchema, text: string | undefined): string => {
  if (text === undefined) return `${name} is not set; give ${wanted(schema)}`;
  return `${name} is ${schema.secret ? 'not right' : JSON.stringify(text)}; give ${wanted(schema)}`;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The only place where a service reads `process.env`; everything else is handed what it needs. */
export const environment = (): Environment => ({ ...process.env });

/** Reads the variables that a schema names. Empty counts as not set. Every wrong one is reported, not only the first. */
export const loadConfig = <Schema extends TObject>(schema: Schema, env: Environment): Static<Schema> => {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(schema.properties)) {
    const text = env[name]?.trim() || undefined;
    const value = text === undefined ? variable.default : parse(variable, text);
    if (Value.Check(variable, value)) config[name] = value;
    else problems.push(problemOf(name, variable, text));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Static<Schema>;
};
