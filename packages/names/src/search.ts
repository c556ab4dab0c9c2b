/** How short names are completed: https://man7.org/linux/man-pages/man5/resolv.conf.5.html. Kubernetes and Docker write it so that `redis` and `redis.prod` are found. */

interface Search {
  domains: readonly string[];
  /** A name with so many dots is asked for as it is, first. */
  dots: number;
}

/** RFC 1035 3.1, written with dots. */
const longestName = 253;

/** As the C library has them. */
const most = { domains: 6, dots: 15 };

export const parseSearch = (text: string): Search => {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  const options = lines.flatMap(([word, ...rest]) => (word === 'options' ? rest : []));
  const dots = options.flatMap((option) => /^ndots:(\d{1,4})$/.exec(option)?.[1] ?? []).at(-1);
  return {
    domains: domains.map((domain) => domain.replace(/^\.|\.$/g, '')).slice(0, most.domains),
    dots: Math.min(Number(dots ?? 1), most.dots),
  };
};

/** The whole names by which a host may be known, in the order in which they are asked for. */
export const namesOf = (host: string, { domains, dots }: Search): readonly string[] => {
  const name = host.replace(/\.$/, '');
  const completed = name === host ? domains.filter(Boolean).map((domain) => `${name}.${domain}`) : [];
  const isWhole = name.split('.').length > dots;
  const names = isWhole ? [name, ...completed] : [...completed, name];
  return names.filter((one) => one.length > 0 && one.length <= longestName);
};
