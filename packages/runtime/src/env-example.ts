/** The text of `.env.example`: every variable once, with the processes that read it. */
import type { TSchema } from '@sinclair/typebox';
import { wanted } from './config.ts';
import { serviceConfigs } from './variables.ts';

const head = `# Every setting of the services. Generated from packages/runtime/src/variables.ts; change it there.
# The local stack (packages/local-stack/README.md) and the CLI (packages/cli/README.md) have a few of their own.
# What stands commented out is the default.
`;

const readers = (name: string): string =>
  Object.entries(serviceConfigs)
    .filter(([, schema]) => name in schema.properties)
    .map(([service]) => service)
    .join(', ');

const entry = ([name, schema]: [string, TSchema]): string => {
  const line = schema.default === undefined ? `${name}=` : `# ${name}=${schema.default}`;
  return `# ${schema.description}\n# Wanted: ${wanted(schema)}. Read by: ${readers(name)}.\n${line}\n`;
};

export const envExample = (): string => {
  const all = new Map(
    Object.values(serviceConfigs).flatMap((schema) => Object.entries<TSchema>(schema.properties)),
  );
  return [head, ...[...all].map(entry)].join('\n');
};
