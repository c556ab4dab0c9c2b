/** Text that is HTML already: the output of a block. No Drop of liquidjs: of these a template reads the prototypes. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}
