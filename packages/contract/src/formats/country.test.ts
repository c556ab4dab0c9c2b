import { country } from './country.ts';

/** The English short names of ISO 3166-1, as its own list has them. */
const isoNames = `
AF Afghanistan; AX Åland Islands; AL Albania; DZ Algeria; AS American Samoa; AD Andorra; AO Angola; AI Anguilla; AQ Antarctica; AG Antigua and Barbuda;
AR Argentina; AM Armenia; AW Aruba; AU Australia; AT Austria; AZ Azerbaijan; BS Bahamas (the); BH Bahrain; BD Bangladesh; BB Barbados; BY Belarus;
BE Belgium; BZ Belize; BJ Benin; BM Bermuda; BT Bhutan; BO Bolivia (Plurinational State of); BQ Bonaire, Sint Eustatius and Saba;
BA Bosnia and Herzegovina; BW Botswana; BV Bouvet Island; BR Brazil; IO British Indian Ocean Territory (the); BN Brunei Darussalam; BG Bulgaria;
BF Burkina Faso; BI Burundi; CV Cabo Verde; KH Cambodia; CM Cameroon; CA Canada; KY Cayman Islands (the); CF Central African Republic (the); TD Chad;
CL Chile; CN China; CX Christmas Island; CC Cocos (Keeling) Islands (the); CO Colombia; KM Comoros (the); CD Congo (the Democratic Republic of the);
CG Congo (the); CK Cook Islands (the); CR Costa Rica; CI Côte d'Ivoire; HR Croatia; CU Cuba; CW Curaçao; CY Cyprus; CZ Czechia; DK Denmark; DJ Djibouti;
DM Dominica; DO Dominican Republic (the); EC Ecuador; EG Egypt; SV El Salvador; GQ Equatorial Guinea; ER Eritrea; EE Estonia; SZ Eswatini; ET Ethiopia;
FK Falkland Islands (the) [Malvinas]; FO Faroe Islands (the); FJ Fiji; FI Finland; FR France; GF French Guiana; PF French Polynesia;
TF French Southern Territories (the); GA Gabon; GM Gambia (the); GE Georgia; DE Germany; GH Ghana; GI Gibraltar; GR Greece; GL Greenland; GD Grenada;
GP Guadeloupe; GU Guam; GT Guatemala; GG Guernsey; GN Guinea; GW Guinea-Bissau; GY Guyana; HT Haiti; HM Heard Island and McDonald Islands;
VA Holy See (the); HN Honduras; HK Hong Kong; HU Hungary; IS Iceland; IN India; ID Indonesia; IR Iran (Islamic Republic of); IQ Iraq; IE Ireland;
IM Isle of Man; IL Israel; IT Italy; JM Jamaica; JP Japan; JE Jersey; JO Jordan; KZ Kazakhstan; KE Kenya; KI Kiribati;
KP Korea (the Democratic People's Republic of); KR Korea (the Republic of); KW Kuwait; KG Kyrgyzstan; LA Lao People's Democratic Republic (the);
LV Latvia; LB Lebanon; LS Lesotho; LR Liberia; LY Libya; LI Liechtenstein; LT Lithuania; LU Luxembourg; MO Macao; MG Madagascar; MW Malawi; MY Malaysia;
MV Maldives; ML Mali; MT Malta; MH Marshall Islands (the); MQ Martinique; MR Mauritania; MU Mauritius; YT Mayotte; MX Mexico;
FM Micronesia (Federated States of); MD Moldova (the Republic of); MC Monaco; MN Mongolia; ME Montenegro; MS Montserrat; MA Morocco; MZ Mozambique;
MM Myanmar; NA Namibia; NR Nauru; NP Nepal; NL Netherlands (Kingdom of the); NC New Caledonia; NZ New Zealand; NI Nicaragua; NE Niger (the); NG Nigeria;
NU Niue; NF Norfolk Island; MK North Macedonia; MP Northern Mariana Islands (the); NO Norway; OM Oman; PK Pakistan; PW Palau; PS Palestine, State of;
PA Panama; PG Papua New Guinea; PY Paraguay; PE Peru; PH Philippines (the); PN Pitcairn; PL Poland; PT Portugal; PR Puerto Rico; QA Qatar; RE Réunion;
RO Romania; RU Russian Federation (the); RW Rwanda; BL Saint Barthélemy; SH Saint Helena, Ascension and Tristan da Cunha; KN Saint Kitts and Nevis;
LC Saint Lucia; MF Saint Martin (French part); PM Saint Pierre and Miquelon; VC Saint Vincent and the Grenadines; WS Samoa; SM San Marino;
ST Sao Tome and Principe; SA Saudi Arabia; SN Senegal; RS Serbia; SC Seychelles; SL Sierra Leone; SG Singapore; SX Sint Maarten (Dutch part); SK Slovakia;
SI Slovenia; SB Solomon Islands; SO Somalia; ZA South Africa; GS South Georgia and the South Sandwich Islands; SS South Sudan; ES Spain; LK Sri Lanka;
SD Sudan (the); SR Suriname; SJ Svalbard and Jan Mayen; SE Sweden; CH Switzerland; SY Syrian Arab Republic (the); TW Taiwan (Province of China);
TJ Tajikistan; TZ Tanzania, the United Republic of; TH Thailand; TL Timor-Leste; TG Togo; TK Tokelau; TO Tonga; TT Trinidad and Tobago; TN Tunisia;
TR Türkiye; TM Turkmenistan; TC Turks and Caicos Islands (the); TV Tuvalu; UG Uganda; UA Ukraine; AE United Arab Emirates (the);
GB United Kingdom of Great Britain and Northern Ireland (the); UM United States Minor Outlying Islands (the); US United States of America (the); UY Uruguay;
UZ Uzbekistan; VU Vanuatu; VE Venezuela (Bolivarian Republic of); VN Viet Nam; VG Virgin Islands (British); VI Virgin Islands (U.S.);
WF Wallis and Futuna; EH Western Sahara*; YE Yemen; ZM Zambia; ZW Zimbabwe`
  .split(';')
  .map((line) => line.trim())
  .map((line) => [line.slice(0, 2), line.slice(3)] as const);

const variants = [
  ['HK', 'Hong Kong SAR, Hongkong, Hong Kong SAR China, HKG, hong kong'],
  ['MO', 'Macau, Macao SAR China'],
  ['MM', 'Burma, Myanmar (Burma)'],
  ['CG', 'Congo, Republic of the Congo, Congo-Brazzaville, Congo - Brazzaville'],
  [
    'CD',
    'DR Congo, DRC, Congo-Kinshasa, Democratic Republic of the Congo, The Democratic Republic of Congo, Zaire',
  ],
  ['LC', 'St. Lucia, St Lucia, Saint Lucia, SAINT LUCIA'],
  ['CV', 'Cape Verde, Cabo Verde'],
  ['BN', 'Brunei, Brunei Darussalam'],
  ['BS', 'The Bahamas, Bahamas'],
  ['GM', 'The Gambia, Gambia'],
  ['VC', 'St. Vincent and the Grenadines, St. Vincent & the Grenadines, Saint Vincent'],
  ['KN', 'St Kitts and Nevis, St. Kitts & Nevis'],
  ['CI', "Ivory Coast, Cote d'Ivoire, Côte d’Ivoire, Cote dIvoire"],
  ['TZ', 'Tanzania, United Republic of Tanzania'],
  ['KR', 'South Korea, Republic of Korea, Korea'],
  ['KP', 'North Korea, DPRK'],
  ['LA', 'Laos, Lao PDR'],
  ['MD', 'Moldova, Republic of Moldova'],
  ['RU', 'Russia, Russian Federation'],
  ['SY', 'Syria'],
  ['TR', 'Turkey, Turkiye, Türkiye'],
  ['TL', 'East Timor'],
  ['US', 'USA, U.S.A., U.S., US, United States, The United States of America, America'],
  ['GB', 'UK, U.K., Great Britain, United Kingdom, The United Kingdom, England'],
  ['NL', 'The Netherlands, Holland, Netherlands'],
  ['VA', 'Vatican, Vatican City, Holy See (Vatican City State)'],
  ['PS', 'Palestine, Palestinian Territories'],
  ['VE', 'Venezuela'],
  ['IR', 'Iran, Islamic Republic of Iran'],
  ['CZ', 'Czech Republic, Czechia'],
  ['SZ', 'Swaziland'],
  ['MK', 'Macedonia, North Macedonia'],
  ['AE', 'UAE, U.A.E., United Arab Emirates'],
  ['IT', 'it, IT, ITA'],
  ['ST', 'ST, São Tomé & Príncipe'],
] as const;

describe('country', () => {
  it('knows all 249 codes', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    expect(pairs.filter((code) => country(code) === code)).toHaveLength(249);
  });

  it('knows the short name of each country in ISO 3166-1', () => {
    expect(isoNames).toHaveLength(249);
    expect(isoNames.filter(([code, name]) => country(name) !== code)).toEqual([]);
  });

  it.each(variants.flatMap(([code, names]) => names.split(', ').map((name) => [name, code])))(
    '%s is %s',
    (name, code) => {
      expect(country(name)).toBe(code);
    },
  );

  it.each(['Atlantis', '', 'The', 'Saint', 'x'.repeat(101)])('does not know %j', (text) => {
    expect(country(text)).toBeUndefined();
  });
});
