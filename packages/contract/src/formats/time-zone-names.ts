/** Names of time zones as web frameworks show them, and the IANA zone each stands for. */

/** Cities that a zone of their region is named after: `Buenos Aires` is `America/Argentina/Buenos_Aires`. */
const cities: Readonly<Record<string, string>> = {
  America:
    'Tijuana, Chihuahua, Mazatlan, Mexico City, Monterrey, Bogota, Lima, Caracas, La Paz, Santiago, Asuncion, Montevideo, Puerto Rico',
  'America/Argentina': 'Buenos Aires',
  Atlantic: 'Azores',
  Europe:
    'Dublin, Lisbon, London, Belgrade, Bratislava, Budapest, Ljubljana, Prague, Sarajevo, Skopje, Warsaw, Zagreb, Brussels, Copenhagen, Madrid, ' +
    'Paris, Amsterdam, Berlin, Zurich, Rome, Stockholm, Vienna, Bucharest, Helsinki, Riga, Sofia, Tallinn, Vilnius, Athens, Istanbul, Minsk, ' +
    'Kaliningrad, Moscow, Volgograd, Samara',
  Africa: 'Casablanca, Monrovia, Cairo, Harare, Nairobi',
  Asia:
    'Jerusalem, Kuwait, Riyadh, Baghdad, Tehran, Muscat, Baku, Tbilisi, Yerevan, Kabul, Karachi, Tashkent, Kolkata, Kathmandu, Almaty, Dhaka, ' +
    'Novosibirsk, Rangoon, Bangkok, Jakarta, Krasnoyarsk, Chongqing, Hong Kong, Urumqi, Kuala Lumpur, Singapore, Taipei, Irkutsk, Ulaanbaatar, ' +
    'Seoul, Tokyo, Yakutsk, Vladivostok, Magadan, Srednekolymsk, Kamchatka',
  Australia: 'Perth, Darwin, Adelaide, Canberra, Melbourne, Sydney, Brisbane, Hobart',
  Pacific: 'Guam, Port Moresby, Fiji, Auckland',
};

const others: Readonly<Record<string, string>> = {
  'International Date Line West': 'Etc/GMT+12',
  'Midway Island': 'Pacific/Midway',
  'American Samoa': 'Pacific/Pago_Pago',
  Hawaii: 'Pacific/Honolulu',
  Alaska: 'America/Juneau',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  'Mountain Time (US & Canada)': 'America/Denver',
  Arizona: 'America/Phoenix',
  'Central Time (US & Canada)': 'America/Chicago',
  Saskatchewan: 'America/Regina',
  Guadalajara: 'America/Mexico_City',
  'Central America': 'America/Guatemala',
  'Eastern Time (US & Canada)': 'America/New_York',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  Quito: 'America/Lima',
  'Atlantic Time (Canada)': 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  Brasilia: 'America/Sao_Paulo',
  Georgetown: 'America/Guyana',
  Greenland: 'America/Godthab',
  'Mid-Atlantic': 'Atlantic/South_Georgia',
  'Cape Verde Is.': 'Atlantic/Cape_Verde',
  Edinburgh: 'Europe/London',
  Bern: 'Europe/Zurich',
  'West Central Africa': 'Africa/Algiers',
  Kyiv: 'Europe/Kiev',
  Pretoria: 'Africa/Johannesburg',
  'St. Petersburg': 'Europe/Moscow',
  'Abu Dhabi': 'Asia/Muscat',
  Ekaterinburg: 'Asia/Yekaterinburg',
  Islamabad: 'Asia/Karachi',
  Chennai: 'Asia/Kolkata',
  Mumbai: 'Asia/Kolkata',
  'New Delhi': 'Asia/Kolkata',
  Astana: 'Asia/Almaty',
  'Sri Jayawardenepura': 'Asia/Colombo',
  Hanoi: 'Asia/Bangkok',
  Beijing: 'Asia/Shanghai',
  Osaka: 'Asia/Tokyo',
  Sapporo: 'Asia/Tokyo',
  'Solomon Is.': 'Pacific/Guadalcanal',
  'New Caledonia': 'Pacific/Noumea',
  'Marshall Is.': 'Pacific/Majuro',
  Wellington: 'Pacific/Auckland',
  "Nuku'alofa": 'Pacific/Tongatapu',
  'Tokelau Is.': 'Pacific/Fakaofo',
  'Chatham Is.': 'Pacific/Chatham',
  Samoa: 'Pacific/Apia',
};

const zonesIn = ([region, names]: [string, string]): [string, string][] =>
  names.split(', ').map((name) => [name, `${region}/${name.replaceAll(' ', '_')}`]);

export const timeZoneNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(cities).flatMap(zonesIn)),
  ...others,
};
