/** Errors of libraries quote the values they choke on ("dup key: { email: ... }"): keep what tells the cause, mask the rest. */

const masks: [RegExp, string][] = [
  [/\brk_[0-9A-Za-z_]+/g, '<key>'],
  [/\b([a-z+]+:\/\/)[^\s@/]+@/g, '$1<login>@'],
  [/[^\s"'<>{}:,]+@[^\s"'<>{},]+\.[^\s"'<>{},]+/g, '<email>'],
  [/\{.*\}/gs, '{...}'],
  [/"[^"]*"/g, '"..."'],
  [/\+?\d[\d ()-]{7,}\d/g, '<number>'],
];

export const maskText = (text: string): string =>
  masks.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text).slice(0, 500);

const frames = (stack: string | undefined): string[] =>
  (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);

export const errorFields = (error: Error): Record<string, unknown> => ({
  name: error.name,
  code: codeOf(error),
  message: maskText(error.message),
  stack: frames(error.stack),
  ...(error.cause instanceof Error && { cause: maskText(`${error.cause.name}: ${error.cause.message}`) }),
});
