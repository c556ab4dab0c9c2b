/** ISO 4217, active alphabetic codes, without the codes for metals, funds and tests. */
const codes: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF ' +
    'CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG ' +
    'HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA ' +
    'MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD ' +
    'RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX ' +
    'USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
  ).split(' '),
);

export function isCurrency(text: string): boolean {
  return codes.has(text);
}

/** Withdrawn codes of ISO 4217 with the last day of their use, since the euro came: purchases of that time still name them. */
const withdrawn: ReadonlyMap<string, number> = new Map(
  (
    'ATS 2002-02-28,BEF 2002-02-28,DEM 2002-02-28,ESP 2002-02-28,FIM 2002-02-28,FRF 2002-02-17,GRD 2002-02-28,IEP 2002-02-09,ITL 2002-02-28,' +
    'LUF 2002-02-28,NLG 2002-01-27,PTE 2002-02-28,XEU 1998-12-31,ADP 2002-02-28,BYB 2000-12-31,TPE 2002-05-20,ECS 2000-09-15,' +
    'YUM 2003-07-02,AFA 2003-01-02,AON 2000-02-01,TJR 2000-10-30,MGF 2004-12-31,ROL 2006-12-31,TRL 2005-12-31,AZM 2006-12-31,CSD 2006-10-25,' +
    'MZM 2006-12-31,SIT 2007-01-14,SRG 2003-12-31,SDD 2007-06-30,GHC 2007-12-31,CYP 2008-01-31,MTL 2008-01-31,VEB 2008-06-30,SKK 2009-01-16,' +
    'TMM 2009-12-31,ZWD 2006-07-31,ZWN 2008-07-31,ZWR 2009-06-30,EEK 2011-01-14,ZMK 2013-06-30,LVL 2014-01-14,LTL 2015-01-15,BYR 2016-12-31,' +
    'MRO 2018-12-31,STD 2018-12-31,VEF 2018-12-31,CUC 2021-12-31,HRK 2023-01-14,SLL 2024-03-31,ZWL 2024-08-31'
  )
    .split(',')
    .map((entry) => [entry.slice(0, 3), Date.parse(`${entry.slice(4)}T23:59:59.999Z`)]),
);

/** Whether a withdrawn currency was in use at that time (in milliseconds). */
export function wasCurrency(text: string, time: number | undefined): boolean {
  const last = withdrawn.get(text);
  return last !== undefined && time !== undefined && time <= last;
}
