/** A person with everything that the public documentation of the hosted export shows. */
export const documentedPerson = {
  created_at: '2020-07-10 15:00:00.000 UTC',
  created_from: 'SDK',
  external_id: 'A8i3mkd99',
  user_aliases: [{ alias_name: 'user_123', alias_label: 'amplitude_id' }],
  braze_id: '5fbd99bac125ca40511f2cb1',
  random_bucket: 2365,
  first_name: 'Jane',
  last_name: 'Doe',
  email: 'example@example.com',
  dob: '1980-12-21',
  home_city: 'Chicago',
  country: 'US',
  phone: '+442071838750',
  language: 'en',
  time_zone: 'Eastern Time (US & Canada)',
  last_coordinates: [41.84157636433568, -87.83520818508256],
  gender: 'F',
  total_revenue: 65,
  attributed_campaign: 'test_campaign_072219',
  attributed_source: 'test_source_072219',
  attributed_adgroup: 'test_adgroup_072219',
  attributed_ad: 'test_ad_072219',
  push_subscribe: 'opted_in',
  push_opted_in_at: '2020-01-26T22:45:53.953Z',
  email_subscribe: 'subscribed',
  uninstalled_at: '2022-07-10 15:00:00.000 UTC',
  custom_attributes: {
    loyaltyId: '37c98b9d-9a7f-4b2f-a125-d873c5152856',
    loyaltyPoints: '321',
    loyaltyPointsNumber: 107,
  },
  custom_events: [
    {
      name: 'Loyalty Acknowledgement',
      first: '2021-06-28T17:02:43.032Z',
      last: '2021-06-28T17:02:43.032Z',
      count: 1,
    },
  ],
  purchases: [
    { name: 'item_40834', first: '2021-09-05T03:45:50.540Z', last: '2022-06-03T17:30:41.201Z', count: 10 },
  ],
  devices: [
    {
      model: 'Pixel XL',
      os: 'Android (Q)',
      carrier: null,
      device_id: '312ef2c1-83db-4789-967-554545a1bf7a',
      google_ad_id: '38400000-8cf0-11bd-b23e-10b96e40000d',
      ad_tracking_enabled: true,
    },
    {
      model: 'iPhone 12',
      os: 'iOS 15.1',
      carrier: 'Carrier',
      idfv: '6f0c2b1d-9a4e-4f0c-a1b2-0123456789ab',
      idfa: null,
      ad_tracking_enabled: false,
    },
  ],
  push_tokens: [
    {
      app: 'MovieCanon',
      platform: 'Android',
      token: '12345abcd',
      device_id: '312ef2c1-83db-4789-967-554545a1bf7a',
      notifications_enabled: true,
      provisionally_opted_in: null,
    },
  ],
  apps: [
    {
      name: 'MovieCannon',
      platform: 'Android',
      version: '3.29.0',
      sessions: 1129,
      first_used: '2020-02-02T19:56:19.142Z',
      last_used: '2021-11-11T00:25:19.201Z',
    },
  ],
  campaigns_received: [
    {
      name: 'Email Unsubscribe',
      api_campaign_id: 'd72fdc84-ddda-44f1-a0d5-0e79f47ef942',
      last_received: '2022-06-02T03:07:38.105Z',
      engaged: { opened_email: true },
      converted: true,
      multiple_converted: { 'Primary Conversion Event - A': true },
      in_control: false,
      variation_name: 'Variant 1',
      variation_api_id: '1bddc73a-a134-4784-9134-5b5574a9e0b8',
    },
  ],
  canvases_received: [
    {
      name: 'Non Global  Holdout Group 4/21/21',
      api_canvas_id: '46972a9d-dc81-473f-aa03-e3473b4ed781',
      last_received_message: '2021-07-07T20:46:24.136Z',
      last_entered: '2021-07-07T20:45:24.000+00:00',
      variation_name: 'Variant 1',
      in_control: false,
      last_entered_control_at: null,
      last_exited: '2021-07-07T20:46:24.136Z',
      steps_received: [
        {
          name: 'Step',
          api_canvas_step_id: '43d1a349-c3c8-4be1-9fbe-ce708e4d1c39',
          last_received: '2021-07-07T20:46:24.136Z',
        },
      ],
    },
  ],
  cards_clicked: [{ name: 'Loyalty Promo' }],
};

const number = (n: number): string => String(n).padStart(4, '0');

const common = (n: number) => ({
  braze_id: `5fbd99bac125ca40511f${number(n)}`,
  random_bucket: n,
  created_at: '2020-07-10 15:00:00.000 UTC',
  email_subscribe: 'subscribed',
  push_subscribe: 'subscribed',
});

const email = (n: number) => ({ email: `hosted-${n}@example.com` });
const phone = (n: number) => ({ phone: `+1202555${number(n)}` });
const alias = (n: number) => ({ user_aliases: [{ alias_name: `hosted-${n}`, alias_label: 'crm' }] });
const purchases = { purchases: documentedPerson.purchases };

/** The least that the documentation promises: members that are missing are null, false or empty. */
const smallPeople = [
  (n: number) => ({ ...common(n), ...email(n), ...purchases }),
  (n: number) => ({ ...common(n), ...phone(n), custom_attributes: {} }),
  (n: number) => ({ ...common(n), ...alias(n), ...purchases }),
  (n: number) => ({ braze_id: common(n).braze_id, external_id: `hosted-${n}` }),
  (n: number) => ({
    ...common(n),
    external_id: `hosted-${n}`,
    first_name: null,
    user_aliases: [],
    devices: null,
  }),
];

/** Every second one has everything; each has tokens of an app by its name. */
export const hostedPeople = (count: number, app = 'MovieCanon'): object[] =>
  Array.from({ length: count }, (_, n) => {
    const token = { ...documentedPerson.push_tokens[0], app, token: `token-${n}` };
    const small = smallPeople[(n >> 1) % smallPeople.length];
    if (n % 2 === 1 && small) return { ...small(n), push_tokens: [token] };
    const own = { external_id: `hosted-${n}`, ...email(n), ...phone(n), ...alias(n) };
    return { ...documentedPerson, ...common(n), ...own, push_tokens: [token] };
  });

/** Only the groups in which a person has a recorded state: of one with an email, of one with a phone. */
export const hostedGroupsOf = ({ email, phone }: { email?: unknown; phone?: unknown }): object[] => [
  ...(email ? [{ id: 'there-news', name: 'News', channel: 'email', status: 'Subscribed' }] : []),
  ...(phone ? [{ id: 'there-texts', name: 'Texts', channel: 'sms', status: 'Unsubscribed' }] : []),
];
