/** Checks and renders in this thread: liquidjs, strict about syntax, without files, prototypes and partial templates. */
import { Context, Liquid, type Template as Parsed, toValueSync } from 'liquidjs';
import { AbortMessage } from './abort-message.ts';
import { assertFlat } from './assert-flat.ts';
import { withUsualNames } from './dollar-names.ts';
import {
  type Checked,
  type Fault,
  type Job,
  LiquidFault,
  type Rendered,
  type Reply,
  type Series,
  type Template,
} from './fault.ts';
import { faultOf } from './fault-of.ts';
import { FormFieldName } from './form-field-name.ts';
import { limits } from './limits.ts';

const blocksName = 'content_blocks';

/** Text that is HTML already: the output of a block. No Drop of liquidjs: of these a template reads the prototypes. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.map(textOf).join('') : String(value);
};

const escaped = (value: unknown): string =>
  value instanceof Html ? value.text : textOf(value).replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);

/** The first four read files; the last one hides nested tags. */
const unwanted = ['include', 'render', 'layout', 'block', 'liquid'];

const createLibrary = (form: Template['escape']): Liquid => {
  const library = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: limits.source,
    renderLimit: limits.wallMs,
    memoryLimit: limits.made,
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    outputEscape: form === 'html' ? escaped : textOf,
  });
  for (const tag of unwanted) delete library.tags[tag];
  library.registerTag('form_field_name', FormFieldName);
  library.registerTag('abort_message', AbortMessage);
  // It would switch the escape off.
  library.registerFilter('raw', (value: unknown) => value);
  return library;
};

const tooCostly = (reason: string): LiquidFault => new LiquidFault({ kind: 'cost', reason });

/** Counts over all parts of one rendering. */
const createEmitter = (room: { left: number }) => ({
  buffer: '',
  write(value: unknown): void {
    const text = textOf(value);
    room.left -= text.length;
    if (room.left < 0) throw tooCostly(`more than ${limits.output} characters are written out`);
    this.buffer += text;
  },
});

const parse = (library: Liquid, source: string): Parsed[] => {
  assertFlat(source);
  return library.parse(withUsualNames(source));
};

/** The parsed templates that were used last. */
const createKept = (parsedAnew: (text: string) => Parsed[]) => {
  const kept = new Map<string, Parsed[]>();
  return (text: string): Parsed[] => {
    const parsed = kept.get(text) ?? parsedAnew(text);
    kept.delete(text);
    kept.set(text, parsed);
    const [oldest] = kept.keys();
    if (kept.size > limits.kept && oldest !== undefined) kept.delete(oldest);
    return parsed;
  };
};

const createRendering = (form: Template['escape']) => {
  const library = createLibrary(form);
  const parsed = createKept((text) => parse(library, text));

  return ({ text, variables = {}, blocks = {} }: Template): string => {
    const room = { left: limits.output };
    let depth = 0;
    const write = (source: string): string => {
      if (++depth > limits.blockDepth)
        throw tooCostly(`blocks stand more than ${limits.blockDepth} deep inside each other`);
      const emitter = createEmitter(room);
      toValueSync(library.renderer.renderTemplates(parsed(source), context, emitter));
      depth -= 1;
      return emitter.buffer;
    };
    /** A function is called where a template names it: a block is rendered there, with what stands around it, out of the same limits. */
    const included = Object.entries(blocks).map(([name, source]) => [name, () => new Html(write(source))]);
    const scope = { ...variables, [blocksName]: Object.fromEntries(included) };
    const context = new Context(scope, library.options, { sync: true });
    return write(text);
  };
};

const misuse = 'content_blocks takes the name of a block';

const createCheck = () => {
  const library = createLibrary(undefined);
  return (content: string): Checked => {
    const used = library.analyzeSync(parse(library, content), { partials: false }).variables;
    const includes = new Set<string>();
    const faults: Fault[] = [];
    for (const { segments, location } of used[blocksName] ?? []) {
      const [, name] = segments;
      if (segments.length === 2 && typeof name === 'string') includes.add(name);
      else faults.push({ kind: 'syntax', reason: misuse, line: location.row, column: location.col });
    }
    return { faults: faults.slice(0, 1), includes: [...includes] };
  };
};

export type Engine = (job: Job) => Reply;

export const createEngine = (): Engine => {
  const check = createCheck();
  const [text, html] = [createRendering(undefined), createRendering('html')];
  const write = (template: Template): string =>
    template.escape === 'html' ? html(template) : text(template);

  const writeFor = (variables: Series['variables'][number], { texts, blocks = {} }: Series): Rendered => {
    try {
      return texts.map((one) => write({ ...one, variables, blocks }));
    } catch (error) {
      return faultOf(error);
    }
  };

  return (job) => {
    try {
      if ('content' in job) return { checked: check(job.content) };
      if ('template' in job) return { text: write(job.template) };
      const { series } = job;
      return { rendered: series.variables.map((variables) => writeFor(variables, series)) };
    } catch (error) {
      return { fault: faultOf(error) };
    }
  };
};
