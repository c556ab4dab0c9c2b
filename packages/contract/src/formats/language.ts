import { rememberShort } from './remember.ts';

/** ISO 639-1. */
const codes: ReadonlySet<string> = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj ' +
    'fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky ' +
    'la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru ' +
    'rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo ' +
    'za zh zu'
  ).split(' '),
);

/** Made when it is first needed: it takes longer than the rest of a start. */
let byName: ReadonlyMap<string, string> | undefined;

/** The ISO 639-1 code of a language, from its code (`en-US`, `pt_BR`, `deu`), its English or its own name; `undefined` when it is not known. */
export const languageOf = rememberShort(find, 64, 2_000);

function find(sent: string): string | undefined {
  const text = sent.trim();
  byName ??= createNames();
  return byName.get(text.toLowerCase()) ?? fromTag(text.replaceAll('_', '-'));
}

function createNames(): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  const english = namesIn('en');
  for (const code of codes)
    for (const name of [namesIn(code).of(code), english.of(code), code])
      if (name) spellings.set(name.toLowerCase(), code);
  return spellings;
}

function namesIn(language: string): Intl.DisplayNames {
  return new Intl.DisplayNames([language], { type: 'language', fallback: 'none' });
}

/** The runtime knows older and three-letter codes: `iw` is `he`, `deu` is `de`. */
function fromTag(tag: string): string | undefined {
  try {
    const { language } = new Intl.Locale(tag);
    return codes.has(language) ? language : undefined;
  } catch {
    return undefined;
  }
}
