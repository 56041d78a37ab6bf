import type { sourceTexts } from './forecast-texts.ts'

export type Outcome =
  /** No rule there affects such numbers. */
  | 'shown'
  /** May be withheld, or unknown. */
  | 'hidden'
  /** Likely replaced, or the call is blocked. */
  | 'blocked'

/** A country's treatment of caller IDs on calls from abroad. Sources: docs/caller-id-forecast.md. */
export interface CountryRule {
  /** A number of the same country. */
  readonly own: Outcome
  readonly mobile?: { readonly shape: RegExp; readonly outcome: Outcome }
  /** A number of another country, including our public number. */
  readonly foreign: Outcome
  readonly source: { readonly id: keyof typeof sourceTexts; readonly url?: string }
}

const carrier = { id: 'carrier' } as const

/** By ISO 3166-1 code. Countries without an entry get a cautious default. */
export const countryRules: Readonly<Record<string, CountryRule>> = {
  AT: {
    own: 'hidden',
    foreign: 'shown',
    source: {
      id: 'AT',
      url: 'https://rtr.at/TKP/presse/pressemitteilungen/presseinformationen_2024/pinfo07052024tkp.de.html',
    },
  },
  BE: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'BE',
      url: 'https://ibpt.be/operators/spoofing-royal-decree',
    },
  },
  BR: { own: 'blocked', foreign: 'shown', source: carrier },
  CZ: {
    own: 'blocked',
    foreign: 'shown',
    source: { id: 'survey', url: 'https://eu-etc.com/?p=635' },
  },
  DE: {
    own: 'hidden',
    foreign: 'shown',
    source: {
      id: 'DE',
      url: 'https://heise.de/-7362394',
    },
  },
  ES: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'ES',
      url: 'https://kiposlegal.com/14146-2/?id=1160&tc_page=36&ttc_pages=92',
    },
  },
  FI: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'FI',
      url: 'https://traficom.fi/en/news/obligations-regulation-come-effect-200000-scam-calls-are-prevented-day',
    },
  },
  FR: {
    own: 'blocked',
    mobile: { shape: /^\+33[67]/, outcome: 'hidden' },
    foreign: 'shown',
    source: {
      id: 'FR',
      url: 'https://www.blogdumoderateur.com/arcep-renforce-lutte-arnaques-telephoniques',
    },
  },
  GB: {
    own: 'blocked',
    mobile: { shape: /^\+447/, outcome: 'hidden' },
    foreign: 'shown',
    source: {
      id: 'GB',
      url: 'https://www.wired-gov.net/wg/news.nsf/articles/cracking+down+on+scam+calls+from+abroad+22072025121500?open',
    },
  },
  HK: { own: 'blocked', foreign: 'hidden', source: carrier },
  IE: {
    own: 'blocked',
    foreign: 'shown',
    source: { id: 'survey', url: 'https://eu-etc.com/?p=635' },
  },
  IN: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'IN',
      url: 'https://www.thestatesman.com/india/centre-issues-directions-for-blocking-incoming-international-spoofed-calls-1503303997.html',
    },
  },
  IT: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'IT',
      url: 'https://www.punto-informatico.it/telemarketing-filtro-chiamate-mobile-19-novembre/',
    },
  },
  JP: { own: 'hidden', foreign: 'hidden', source: carrier },
  MT: {
    own: 'blocked',
    mobile: { shape: /^\+356[79]/, outcome: 'hidden' },
    foreign: 'shown',
    source: {
      id: 'MT',
      url: 'https://helm.news/2024-10-25/maltas-mca-blocks-foreign-calls-maltese-caller-ids-combat-scam-calls.html',
    },
  },
  MY: { own: 'blocked', foreign: 'hidden', source: carrier },
  NO: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'NO',
      url: 'https://kommunikasjon.ntb.no/pressemelding/18352805/na-har-det-blitt-vanskeligere-a-spoofe-mobilnummeret-ditt?publisherId=17848282',
    },
  },
  SE: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'SE',
      url: 'https://pts.se/en/internet-and-telephony/sakerhet-och-skydd-av-uppgifter/telephone-scams-spoofing',
    },
  },
  SG: {
    own: 'blocked',
    foreign: 'shown',
    source: {
      id: 'SG',
      url: 'https://www.allenandgledhill.com/vn/publication/articles/27239/telcos-allow-mobile-subscribers-to-block-calls-from-international-numbers-from-5-january-2024',
    },
  },
  TR: { own: 'blocked', foreign: 'shown', source: carrier },
  US: {
    own: 'hidden',
    foreign: 'hidden',
    source: {
      id: 'US',
      url: 'https://federalstatelaw.com/federal-register/2022-13436',
    },
  },
}
