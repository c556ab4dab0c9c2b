import { type ContentBlockDocument, type ContentVersion, namesOfKeys } from '@roster/store';
import type { Tools } from '../act.ts';
import { missing, type Result } from '../result.ts';
import type { Servers } from '../servers.ts';
import { timeOfStamp } from '../shown.ts';
import { byName, type Options, shownKey } from './content-list.ts';
import { chosenWorkspace } from './workspace.ts';

export const findBlock = async (
  servers: Servers,
  ws: string,
  name: string,
): Promise<ContentBlockDocument> => {
  const block = await (await servers.store()).content.blocks.findOne({ ws, name });
  if (!block) throw missing(`there is no content block ${name}. "roster content list" shows them.`);
  return block;
};

export const findVersion = async (
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

export const show = async ({ servers }: Tools, name: string, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(servers, options);
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
