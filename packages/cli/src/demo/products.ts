export interface Product {
  id: string;
  category: string;
  euros: number;
}

const shelves: Readonly<Record<string, Record<string, number>>> = {
  tea: { 'darjeeling-100g': 12.9, 'earl-grey-100g': 8.5, 'sencha-100g': 14.2, 'rooibos-200g': 9.9 },
  coffee: { 'espresso-beans-1kg': 21.9, 'filter-beans-500g': 13.5, 'decaf-250g': 8.9 },
  kitchen: { 'teapot-glass': 34, 'kettle-gooseneck': 69, 'grinder-hand': 54.5, 'mug-blue': 11 },
  books: { 'book-of-tea': 18, 'baking-basics': 24.9 },
  sweets: { shortbread: 5.9, 'dark-chocolate': 3.8, marzipan: 7.2 },
};

export const products: readonly Product[] = Object.entries(shelves).flatMap(([category, goods]) =>
  Object.entries(goods).map(([id, euros]) => ({ id, category, euros })),
);

export const categories: readonly string[] = Object.keys(shelves);
