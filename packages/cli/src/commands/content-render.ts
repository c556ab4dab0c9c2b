import { LiquidFault, openLiquid } from '@roster/liquid';
import type { Tools } from '../act.ts';
import { messageOf, type Result, wrong } from '../result.ts';
import type { Options } from './content-list.ts';
import { findBlock, findVersion } from './content-show.ts';
import { chosenWorkspace } from './workspace.ts';

const variablesIn = ({ io }: Tools, file: string | undefined): { [name: string]: unknown } => {
  if (file === undefined) return {};
  try {
    const read: unknown = JSON.parse(io.readText(file));
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read };
  } catch (error) {
    throw wrong(`cannot read ${file}: ${messageOf(error)}`);
  }
  throw wrong(`${file} must hold one JSON object`);
};

const placeOf = ({ fault: { line, column } }: LiquidFault): string =>
  line === undefined ? '' : ` in line ${line}, column ${column ?? 1}`;

export const render = async (tools: Tools, name: string, options: Options): Promise<Result> => {
  const { servers } = tools;
  const ws = await chosenWorkspace(servers, options);
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
