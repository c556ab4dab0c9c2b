/** What goes in and what comes out. All of it crosses a border between threads: plain data. */

/** The first thing that is wrong with a template. */
export interface TemplateFault {
  /**
   * `syntax`: it is not Liquid. `cost`: too many steps, too much memory, depth or text. `value`: a filter got something that it cannot take. `aborted`:
   * the template itself says that nothing shall be sent.
   */
  kind: 'syntax' | 'cost' | 'value' | 'aborted';
  reason: string;
  /** From 1. Missing where the whole template is at fault. */
  line?: number;
  column?: number;
}

export interface Checked {
  /** None: the content can be parsed. */
  faults: TemplateFault[];
  /** Names of the blocks that it includes, each once. */
  includes: string[];
  /** Names of the preference centers that it links to, each once. */
  centers: string[];
  /** Names of subscription groups, and `email_global`: in `subscribed_state` and as fields of a form, each once. */
  states: string[];
  /** Names that are neither made in the content nor part of Liquid: `first_name`, `custom_attribute`. */
  names: string[];
}

export interface Template {
  text: string;
  /** What the template may use, by name. Plain data. */
  variables?: { [name: string]: unknown };
  /** Content of the blocks that it and they include, by name. One that is not here is rendered as nothing. */
  blocks?: { [name: string]: string };
  /** Whether values are escaped where they are written out. Content of blocks is HTML itself and stays as it is. */
  escape?: 'html';
}

/** The texts of one message for several people. */
export interface Series {
  texts: readonly Pick<Template, 'text' | 'escape'>[];
  blocks?: { [name: string]: string };
  /** One for each person. */
  variables: readonly { [name: string]: unknown }[];
}

/** For each person their texts, or the first thing that is wrong with one. */
export type Rendered = string[] | TemplateFault;

/** Of a series the first people: as many as the steps and the characters of one template allow, and at least one. */
export interface Some {
  rendered: Rendered[];
  /** What was counted for them. */
  steps: number;
}

/** What a thread is asked, and what it answers. */
export type LiquidJob = { content: string } | { template: Template } | { series: Series };

export type LiquidReply = { checked: Checked } | { text: string } | Some | { fault: TemplateFault };

/** A template that could not be rendered. */
export class LiquidFault extends Error {
  readonly fault: TemplateFault;
  constructor(fault: TemplateFault) {
    super(fault.reason);
    this.name = 'LiquidFault';
    this.fault = fault;
  }
}
