// A page with three inclusions, for Roster and for its yardstick.

export const blocks = {
  header: '<h1>{{shop}}</h1>',
  offer: '{% for item in items %}<li>{{item.name}}: {{item.price}}</li>{% endfor %}',
  footer: '<p>{{shop}}, {{city | upcase}}</p>',
};

export const pageWith = (include: (name: string) => string): string =>
  `${include('header')}<p>Hello {{name | default: 'you'}}</p>${include('offer')}${include('footer')}`;

export const variables = {
  shop: 'Example',
  city: 'Example City',
  name: 'Ada',
  items: ['tea', 'cup', 'pot'].map((name, n) => ({ name, price: n + 1 })),
};
