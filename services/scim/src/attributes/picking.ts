/** `attributes` and `excludedAttributes` of a request. */

export interface Picking {
  only?: string[] | undefined;
  without?: string[] | undefined;
}

const list = (text: string | undefined): string[] | undefined => {
  const names = text?.split(',').map((name) => name.trim());
  const present = names?.filter((name) => name !== '');
  return present && present.length > 0 ? present : undefined;
};

export const pickingIn = (query: Record<string, string> = {}): Picking => ({
  only: list(query.attributes),
  without: list(query.excludedAttributes),
});
