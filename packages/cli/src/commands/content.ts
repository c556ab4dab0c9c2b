/** Content blocks: `roster content list | show | render`. Changes are made by the interface, which knows who makes them. */
import { LiquidFault, openLiquid } from '@roster/liquid';
import { type ContentBlockDocument, type ContentVersion, namesOfKeys } from '@roster/store';
import { type Family, type Tools, type WorkspaceTools, wholeNumber } from '../command.ts';
import { readAs } from '../io.ts';
import { isRecord } from '../json.ts';
import { missing, type Result, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { plain, table, timeOfStamp } from '../shown.ts';

interface Options {
  version?: number;
  variables?: string;
  html?: boolean;
}

/** A key that is gone has only its id. */
const shownKey = (names: ReadonlyMap<string, string | null>, id: string | undefined): string =>
  id === undefined ? '-' : (names.get(id) ?? id);

/** Of a block that no key made, nothing. */
const byName = (names: ReadonlyMap<string, string | null>, by: string | undefined) =>
  by && { by_name: names.get(by) ?? null };

const list = async ({ servers, ws }: WorkspaceTools): Promise<Result> => {
  const store = await servers.store();
  const found = await store.content.blocks
    .find({ ws }, { projection: { content: 0 } })
    .sort({ name: 1 })
    .toArray();
  const names = await namesOfKeys(
    store,
    found.map(({ by }) => by),
  );
  return {
    json: found.map(({ _id, ws: _, created, edited, ...block }) => ({
      id: _id,
      ...block,
      ...byName(names, block.by),
      created: timeOfStamp(created),
      edited: timeOfStamp(edited),
    })),
    text: table(found, {
      ...plain('name', 'state', 'version'),
      EDITED: ({ edited }) => timeOfStamp(edited),
      'BY KEY': ({ by }) => shownKey(names, by),
      INCLUDES: ({ includes }) => includes.join(' '),
    }),
  };
};

const findBlock = async (servers: Servers, ws: string, name: string): Promise<ContentBlockDocument> => {
  const block = await (await servers.store()).content.blocks.findOne({ ws, name });
  if (!block) throw missing(`there is no content block ${name}. "roster content list" shows them.`);
  return block;
};

const findVersion = async (
  servers: Servers,
  block: ContentBlockDocument,
  version = block.version,
): Promise<ContentVersion> => {
  if (version === block.version) return block;
  const { content } = await servers.store();
  const found = await content.versions.findOne({ _id: `${block._id}:${version}` });
  if (!found) throw missing(`${block.name} has no version ${version}: the latest one is ${block.version}.`);
  return found;
};

const show = async ({ servers, ws }: WorkspaceTools, name: string, options: Options): Promise<Result> => {
  const block = await findBlock(servers, ws, name);
  const { version, description, content, state, tags, includes, changed, edited, by } = await findVersion(
    servers,
    block,
    options.version,
  );
  const names = await namesOfKeys(await servers.store(), [by]);
  const told = { id: block._id, name, version, state, description, tags, includes, changed, by };
  return {
    json: { ...told, ...byName(names, by), edited: timeOfStamp(edited), content },
    text: `${content}\n`,
    notes: [
      `${name}, version ${version} of ${block.version}, ${state}, ${timeOfStamp(edited)}, key ${shownKey(names, by)}`,
    ],
  };
};

const variablesIn = ({ io }: Tools, file: string | undefined): { [name: string]: unknown } => {
  if (file === undefined) return {};
  const read = readAs(io, file, (text): unknown => JSON.parse(text));
  if (!isRecord(read)) throw wrong(`${file} must hold one JSON object`);
  return read;
};

const placeOf = ({ fault: { line, column } }: LiquidFault): string =>
  line === undefined ? '' : ` in line ${line}, column ${column ?? 1}`;

const render = async (tools: WorkspaceTools, name: string, options: Options): Promise<Result> => {
  const { servers, ws } = tools;
  const { content, includes } = await findVersion(
    servers,
    await findBlock(servers, ws, name),
    options.version,
  );
  const variables = variablesIn(tools, options.variables);
  const blocks = await (await servers.store()).includedBlocks(ws, includes);
  const liquid = openLiquid({ threads: 1 });
  try {
    const form = options.html ? ({ escape: 'html' } as const) : {};
    const text = await liquid.render({ text: content, variables, blocks, ...form });
    return { json: { name, text }, text: `${text}\n` };
  } catch (error) {
    if (!(error instanceof LiquidFault)) throw error;
    throw wrong(`${name} cannot be rendered: ${error.message}${placeOf(error)}`);
  } finally {
    await liquid.close();
  }
};

const help = `
Without --workspace there must be only one. --variables is a JSON file; its members are the names that the content uses.

Examples:
  $ roster content list
  $ roster content show footer --version 2
  $ roster content render letter --variables ada.json --html`;

const block = { workspace: 'the workspace of the block' };
const version = {
  '--version <number>': wholeNumber('as it was then', [1, Number.MAX_SAFE_INTEGER]),
};

export const contentCommands: Family = {
  about: 'content blocks',
  example: 'roster content list',
  help,
  commands: {
    list: { about: 'all content blocks, and who changed them last', ...block, run: list },
    'show <name>': { about: 'the content of a block', ...block, flags: version, run: show },
    'render <name>': {
      about: 'a block with all that it includes',
      ...block,
      flags: {
        ...version,
        '--variables <file>': 'what the content may use, as JSON',
        '--html': 'escape values for HTML',
      },
      run: render,
    },
  },
};
