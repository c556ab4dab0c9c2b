/** What a server that speaks S3 says in XML: a root, its members, and a row of members for each `Contents`. */
import { Parser } from 'htmlparser2';

/** Of a page: a thousand objects with thirteen members each have less than half. */
const mostTags = 32_000;
/** The owner of an object stands in the fourth row. */
const mostDepth = 16;

type Members = ReadonlyMap<string, string>;

export interface Xml {
  readonly root: string;
  readonly members: Members;
  readonly contents: readonly Members[];
}

/** It is larger than what is asked for, or none at all. */
class NotRead extends Error {}

const createReader = () => {
  const [members, contents] = [new Map<string, string>(), [] as Map<string, string>[]];
  const path: string[] = [];
  let [root, text, tags] = ['', '', 0];
  return {
    xml: (): Xml => ({ root, members, contents }),
    onopentagname(name: string): void {
      tags += 1;
      if (path.length === 0 && root) throw new NotRead('it has a second root');
      if (path.length === 0) root = name;
      if (path.length === 1 && name === 'Contents') contents.push(new Map());
      path.push(name);
      text = '';
      if (tags > mostTags || path.length > mostDepth) throw new NotRead('it has too many tags');
    },
    onprocessinginstruction(name: string): void {
      if (name.toLowerCase() === '!doctype') throw new NotRead('it has a document type');
    },
    ontext(piece: string): void {
      text += piece;
    },
    onclosetag(name: string, isImplied: boolean): void {
      if (isImplied) throw new NotRead('it ends too early');
      path.pop();
      if (path.length === 1) members.set(name, text);
      if (path.length === 2 && path[1] === 'Contents') contents.at(-1)?.set(name, text);
      text = '';
    },
  };
};

/** `undefined` where it is no such XML. */
export const readXml = (body: Buffer): Xml | undefined => {
  const reader = createReader();
  try {
    new Parser(reader, { xmlMode: true }).end(body.toString('utf8'));
  } catch (error) {
    if (error instanceof NotRead) return undefined;
    throw error;
  }
  return reader.xml();
};
