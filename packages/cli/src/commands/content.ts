/** Content blocks: `roster content list | show | render`. Changes are made by the interface, which knows who makes them. */
import { LiquidFault, openLiquid } from '@roster/liquid';
import { type ContentBlockDocument, type ContentVersion, namesOfKeys } from '@roster/store';
import { type Family, type WorkspaceTools, wholeNumber } from '../command.ts';
import { readAs } from '../io.ts';
import { isRecord } from '../json.ts';
import { missing, type Result, wrong } from '../result.ts';
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

const list = async ({ store, ws }: WorkspaceTools): Promise<Result> => {
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

/** The block, and the version of it that was asked for: without one, the latest. */
const findVersion = async (
  { store: { content }, ws }: WorkspaceTools,
  name: string,
  { version }: Options,
): Promise<{ block: ContentBlockDocument; found: ContentVersion }> => {
  const block = await content.blocks.findOne({ ws, name });
  if (!block) throw missing(`there is no content block ${name}. "roster content list" shows them.`);
  if (version === undefined || version === block.version) return { block, found: block };
  const found = await content.versions.findOne({ _id: `${block._id}:${version}` });
  if (!found) throw missing(`${name} has no version ${version}: the latest one is ${block.version}.`);
  return { block, found };
};

const show = async (tools: WorkspaceTools, name: string, options: Options): Promise<Result> => {
  const { block, found } = await findVersion(tools, name, options);
  const { version, description, content, state, tags, includes, changed, edited, by } = found;
  const names = await namesOfKeys(tools.store, [by]);
  const told = { id: block._id, name, version, state, description, tags, includes, changed, by };
  return {
    json: { ...told, ...byName(names, by), edited: timeOfStamp(edited), content },
    text: `${content}\n`,
    notes: [
      `${name}, version ${version} of ${block.version}, ${state}, ${timeOfStamp(edited)}, key ${shownKey(names, by)}`,
    ],
  };
};

const variablesIn = ({ io }: WorkspaceTools, file: string | undefined): { [name: string]: unknown } => {
  if (file === undefined) return {};
  const read = readAs(io, file, (text): unknown => JSON.parse(text));
  if (!isRecord(read)) throw wrong(`${file} must hold one JSON object`);
  return read;
};

const placeOf = ({ fault: { line, column } }: LiquidFault): string =>
  line === undefined ? '' : ` in line ${line}, column ${column ?? 1}`;

const render = async (tools: WorkspaceTools, name: string, options: Options): Promise<Result> => {
  const { content, includes } = (await findVersion(tools, name, options)).found;
  const variables = variablesIn(tools, options.variables);
  const blocks = await tools.store.includedBlocks(tools.ws, includes);
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
