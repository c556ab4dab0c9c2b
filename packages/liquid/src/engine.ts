/** Checks and renders in this thread: liquidjs, strict about syntax, without files, prototypes and partial templates. */
import { Liquid, type Template as Parsed, toValueSync } from 'liquidjs';
import { AbortMessage } from './abort-message.ts';
import { countedOperators, countSteps } from './count-steps.ts';
import { CountedContext } from './counted-context.ts';
import { countedEscape } from './counted-filters.ts';
import {
  type Checked,
  LiquidFault,
  type LiquidJob,
  type LiquidReply,
  type Rendered,
  type Series,
  type Some,
  type Template,
  type TemplateFault,
} from './fault.ts';
import { faultOf } from './fault-of.ts';
import { FormFieldName } from './form-field-name.ts';
import { Html } from './html.ts';
import { limits } from './limits.ts';
import { type ParsedSource, parse } from './parse.ts';
import { createSteps, type StepOptions, type Steps } from './steps.ts';

const blocksName = 'content_blocks';

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

const createLibrary = (form: Template['escape'], made: number = limits.made): Liquid => {
  const library = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    memoryLimit: made,
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    operators: countedOperators,
    outputEscape: form === 'html' ? countedEscape(escaped, 'filtered') : countedEscape(textOf, 'read'),
  });
  for (const tag of unwanted) delete library.tags[tag];
  library.registerTag('form_field_name', FormFieldName);
  library.registerTag('abort_message', AbortMessage);
  // It would switch the escape off.
  library.registerFilter('raw', (value: unknown) => value);
  countSteps(library);
  return library;
};

const tooCostly = (reason: string): LiquidFault => new LiquidFault({ kind: 'cost', reason });

/** Counts over all parts of one rendering. */
const createEmitter = (room: OutputRoom) => ({
  buffer: '',
  write(value: unknown): void {
    const text = textOf(value);
    room.left -= text.length;
    if (room.left < 0) throw tooCostly(`more than ${limits.output} characters are written out`);
    this.buffer += text;
  },
});

/** The parsed templates that were used last. They cost the same again, so that no answer depends on what ran before. */
const createKept = (library: Liquid) => {
  const kept = new Map<string, ParsedSource>();
  let price = 0;
  const forget = (text: string): void => {
    price -= kept.get(text)?.price ?? 0;
    kept.delete(text);
  };
  const keep = (text: string, source: ParsedSource): void => {
    forget(text);
    kept.set(text, source);
    price += source.price;
    for (const oldest of kept.keys()) {
      if (price <= limits.kept) return;
      forget(oldest);
    }
  };
  return (text: string, steps: Steps): Parsed[] => {
    const known = kept.get(text);
    if (known) steps.take('parts', known.price);
    const source = known ?? parse(library, text, steps);
    keep(text, source);
    return source.nodes;
  };
};

/** Each source is paid for once, however many places it is rendered for. */
const once = (parsed: ReturnType<typeof createKept>, steps: Steps) => {
  const seen = new Map<string, Parsed[]>();
  return (text: string): Parsed[] => {
    const nodes = seen.get(text) ?? parsed(text, steps);
    seen.set(text, nodes);
    return nodes;
  };
};

type Render = (template: Template) => string;

/** Characters that may still be written out. */
interface OutputRoom {
  left: number;
}

const createRendering = (
  form: Template['escape'],
  made?: number,
): ((steps: Steps, room: OutputRoom) => Render) => {
  const library = createLibrary(form, made);
  const kept = createKept(library);

  return (steps, room) => {
    const parsed = once(kept, steps);
    return ({ text, variables = {}, blocks = {} }) => {
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
      const context = new CountedContext(scope, library, steps).countMade();
      return write(text);
    };
  };
};

const misuse = {
  content_blocks: 'content_blocks takes the name of a block',
  preference_center: 'preference_center takes the name of a preference center',
} as const;

type Used = ReturnType<Liquid['analyzeSync']>['variables'];

/** What a content names as `of.${name}`, and where it does so in another form. */
const namedIn = (used: Used, of: keyof typeof misuse): { names: string[]; faults: TemplateFault[] } => {
  const names = new Set<string>();
  const faults: TemplateFault[] = [];
  for (const { segments, location } of used[of] ?? []) {
    const [, name] = segments;
    if (segments.length === 2 && typeof name === 'string') names.add(name);
    else faults.push({ kind: 'syntax', reason: misuse[of], line: location.row, column: location.col });
  }
  return { names: [...names], faults };
};

/** Of `subscribed_state.${name}`; one that is made by the template is not known before. */
const statesIn = (used: Used): string[] => [
  ...new Set(
    (used.subscribed_state ?? []).flatMap(({ segments: [, name] }) =>
      typeof name === 'string' ? [name] : [],
    ),
  ),
];

/** Finding the names takes half as long as parsing. */
const timesAnalysed = 1.5;

const createCheck = () => {
  const library = createLibrary(undefined);
  return (content: string, steps: Steps): Checked => {
    const { nodes } = parse(library, content, steps, timesAnalysed);
    const { variables: used, globals } = library.analyzeSync(nodes, { partials: false });
    const [blocks, centers] = [namedIn(used, blocksName), namedIn(used, 'preference_center')];
    return {
      faults: [...blocks.faults, ...centers.faults].slice(0, 1),
      includes: blocks.names,
      centers: centers.names,
      states: statesIn(used),
      names: Object.keys(globals),
    };
  };
};

export type Engine = (job: LiquidJob) => LiquidReply;

/** To tell the place of a fault, liquidjs takes its source apart. */
const pricePerFault = 1 / 64;

const lengthOf = (sources: readonly string[]): number => sources.reduce((sum, { length }) => sum + length, 0);

export type EngineOptions = Partial<StepOptions> & { made?: number };

export const createEngine = ({ made, ...options }: EngineOptions = {}): Engine => {
  const check = createCheck();
  const [text, html] = [createRendering(undefined, made), createRendering('html', made)];

  /** The texts of one person, and a template alone, share its steps and its room. */
  const openRendering = (steps: Steps, room: OutputRoom): Render => {
    const [asText, asHtml] = [text(steps, room), html(steps, room)];
    return (template) => (template.escape === 'html' ? asHtml(template) : asText(template));
  };

  const budget: StepOptions = { steps: limits.steps, ...options };

  const writeFor = ({ texts, blocks = {} }: Series, variables: Series['variables'][number]) => {
    const [steps, room] = [createSteps(budget), { left: limits.output }];
    const write = openRendering(steps, room);
    const rendered = ((): Rendered => {
      try {
        return texts.map((one) => write({ ...one, variables, blocks }));
      } catch (error) {
        return faultOf(error);
      }
    })();
    return { rendered, steps: steps.taken(), characters: limits.output - room.left };
  };

  /** Each person has the limits of one template, whoever stands before them; the next one is begun while those before have used less than that. */
  const writeSeries = (series: Series): Some => {
    const { texts, blocks = {}, variables } = series;
    const ofFault =
      pricePerFault * lengthOf([...texts.map(({ text: one }) => one), ...Object.values(blocks)]);
    const all: Rendered[] = [];
    let [steps, characters] = [0, 0];
    for (const of of variables) {
      if (all.length > 0 && (steps >= budget.steps || characters >= limits.output)) break;
      const one = writeFor(series, of);
      all.push(one.rendered);
      steps += one.steps + (Array.isArray(one.rendered) ? 0 : ofFault);
      characters += one.characters;
    }
    return { rendered: all, steps };
  };

  return (job) => {
    try {
      if ('series' in job) return writeSeries(job.series);
      const steps = createSteps(budget);
      if ('content' in job) return { checked: check(job.content, steps) };
      return { text: openRendering(steps, { left: limits.output })(job.template) };
    } catch (error) {
      return { fault: faultOf(error) };
    }
  };
};
