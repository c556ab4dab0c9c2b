/** Errors of libraries quote the values they choke on ("dup key: { email: ... }"): keep what tells the cause, mask the rest. */

const masks: [RegExp, string][] = [
  [/\br[ks]_[0-9A-Za-z_]+/g, '<key>'],
  [/\b([a-z+]+:\/\/)[^\s@/]+@/g, '$1<login>@'],
  [/[^\s"'<>{}:,]+@[^\s"'<>{},]+\.[^\s"'<>{},]+/g, '<email>'],
  [/\{.*\}/gs, '{...}'],
  [/"[^"]*"/g, '"..."'],
  [/\+?\d[\d ()-]{7,}\d/g, '<number>'],
];

/** What was cut off may have closed these. */
const openEnds: typeof masks = [
  [/\{(?!\.{3}\}).*$/s, '{...}'],
  [/"[^"]*("|$)/g, '"..."'],
];

/** The patterns take long with what is long. Masks make it shorter, so more is read than is told. */
const most = { read: 2_000, told: 500 };

/** No pattern knows the half of a word. */
const cut = (text: string): string => text.slice(0, most.read).replace(/\S{1,2000}$/, '');

const replaced = (text: string, patterns: typeof masks): string =>
  patterns.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text);

export const maskText = (text: string): string => {
  const isShort = text.length <= most.read;
  const masked = isShort ? replaced(text, masks) : replaced(cut(text), [...masks, ...openEnds]);
  return masked.slice(0, most.told);
};

const frames = (stack: string | undefined): string[] =>
  (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());

export const errorFields = (error: Error): Record<string, unknown> => ({
  name: error.name,
  code: 'code' in error ? error.code : undefined,
  message: maskText(error.message),
  stack: frames(error.stack),
  ...(error.cause instanceof Error && { cause: maskText(`${error.cause.name}: ${error.cause.message}`) }),
});
