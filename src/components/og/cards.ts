import { listedPosts } from '#components/blog/posts.ts'
import { countryPath, destinationOf } from '#components/destinations.ts'
import { company } from '#lib/company.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { formatRate } from '#lib/money/money.ts'
import { countriesByIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import type { OgCard, PlainCard } from './drawing.ts'
import { ogTexts } from './texts.ts'

const firstCall = { top: 'FIRST CALL', bottom: 'NEW CALLERS', middle: 'Free' }

/** The postmark of what is not about a first call: where it was posted. */
function posted(middle: string): OgCard['postmark'] {
  return { top: company.name.toUpperCase(), bottom: company.city.toUpperCase(), middle }
}

const destinations = [...countriesByIso.keys()].map(destinationOf)
const unitedStates = destinationOf('US')

/** Where a page has no card of its own. */
const ownAddress = '/default'

const sections: readonly (readonly [route: string, card: OgCard])[] = [
  [
    ownAddress,
    {
      title: company.tagline,
      line: 'Prepaid, by the minute. No download, no subscription.',
      picture: { art: 'dial' },
      ink: 'blue',
      value: company.name,
      postmark: firstCall,
    },
  ],
  [
    '/',
    {
      title: 'Call home for less than a stamp.',
      line: 'Any mobile or landline in 150+ countries, from your browser.',
      picture: { art: 'globe' },
      ink: 'blue',
      value: unitedStates.centsPerMinute,
      unit: 'a minute to the US',
      postmark: firstCall,
    },
  ],
  [
    '/destinations',
    {
      title: 'What a call costs, country by country',
      line: 'The rate per minute to landlines and mobiles in 150+ countries.',
      picture: { art: 'wires' },
      ink: 'red',
      value: 'Rates',
      unit: 'per minute',
      postmark: firstCall,
    },
  ],
  [
    '/faq',
    {
      title: 'Questions before you call',
      line: 'Rates, numbers, sound and your account, in short answers.',
      picture: { art: 'telephone' },
      ink: 'black',
      value: 'Answers',
      postmark: posted('FAQ'),
    },
  ],
  [
    '/blog',
    {
      title: 'Calling abroad, explained',
      line: 'Dial codes, good hours to ring, and what a call costs.',
      picture: { art: 'pillar' },
      ink: 'red',
      value: company.name,
      postmark: posted('Blog'),
    },
  ],
]

function countryCard(destination: (typeof destinations)[number]): OgCard {
  return {
    title: `Call ${destination.name} from your browser`,
    line: 'Mobiles and landlines. No download, no subscription.',
    picture: { flagOf: destination.isoCode },
    ink: 'red',
    value: destination.centsPerMinute,
    unit: 'a minute to mobiles',
    postmark: destination.freeMinutes > 0 ? firstCall : posted('Call'),
  }
}

async function postCards(): Promise<(readonly [route: string, card: OgCard])[]> {
  const posts = await listedPosts()
  return posts.map(({ id, data }) => [
    `/blog/${id}`,
    {
      title: data.title,
      line: data.description,
      picture: { art: data.art },
      ink: data.ink,
      value: company.name,
      postmark: posted('Blog'),
    },
  ])
}

let cards: Promise<ReadonlyMap<string, OgCard>> | undefined

/** The card of each route that has one of its own, and the one of all others under `/default`. */
export function ogCards(): Promise<ReadonlyMap<string, OgCard>> {
  cards ??= postCards().then(
    posts =>
      new Map([
        ...sections,
        ...destinations.map(
          destination => [countryPath(destination.isoCode), countryCard(destination)] as const,
        ),
        ...posts,
      ]),
  )
  return cards
}

interface PlainImage {
  readonly card: PlainCard
  /** In the language of the page. */
  readonly alt: () => string
}

/** @param middle of the postmark: a country's code, else how many countries there are */
function plainCard(
  picture: PlainCard['picture'],
  ink: PlainCard['ink'],
  value: string,
  middle = '150+',
): PlainCard {
  const ring = company.name.toUpperCase()
  return { picture, ink, value, postmark: { top: ring, bottom: ring, middle } }
}

const { name } = company

/** The pictures of all languages besides English: they have no words, so that each is drawn once. */
const plainImages: ReadonlyMap<string, PlainImage> = new Map([
  [
    ownAddress,
    { card: plainCard({ art: 'dial' }, 'blue', name), alt: () => ogTexts.stamp({ company: name }) },
  ],
  [
    '/',
    {
      card: plainCard({ art: 'globe' }, 'blue', unitedStates.centsPerMinute),
      alt: () => ogTexts.landing({ company: name, rate: formatRate(unitedStates.microUsdPerMinute) }),
    },
  ],
  [
    '/destinations',
    { card: plainCard({ art: 'wires' }, 'red', name), alt: () => ogTexts.destinations({ company: name }) },
  ],
  [
    '/faq',
    { card: plainCard({ art: 'telephone' }, 'black', name), alt: () => ogTexts.faq({ company: name }) },
  ],
  ...destinations.map((destination): [string, PlainImage] => {
    const { isoCode, dialCode, centsPerMinute, microUsdPerMinute } = destination
    const alt = () =>
      ogTexts.country({
        company: name,
        place: placeName(destination),
        rate: formatRate(microUsdPerMinute),
      })
    return [
      countryPath(isoCode),
      { card: plainCard({ flagOf: isoCode }, 'red', centsPerMinute, dialCode), alt },
    ]
  }),
])

/** The cards without words, by route. */
export const plainCards: ReadonlyMap<string, PlainCard> = new Map(
  [...plainImages].map(([route, { card }]) => [route, card]),
)

interface OgImage {
  readonly path: string
  readonly alt: string
}

/**
 * @param route of a page, such as `/calling/in`
 * @param language of the page's own text
 */
export async function ogImageOf(route: string, language: string): Promise<OgImage> {
  return language === sourceLanguage ? imageWithText(route) : plainImageOf(route)
}

function plainImageOf(route: string): OgImage {
  const owner = plainImages.has(route) ? route : ownAddress
  return { path: `/og/plain${imageName(owner)}.png`, alt: plainImages.get(owner)?.alt() ?? '' }
}

async function imageWithText(route: string): Promise<OgImage> {
  const known = await ogCards()
  const owner = known.has(route) ? route : ownAddress
  const card = known.get(owner)
  if (!card) throw new Error(`no card ${owner}`)
  const price = card.unit ? ` ${card.value} ${card.unit}.` : ''
  return { path: `/og${imageName(owner)}.png`, alt: `${sentence(card.title)} ${card.line}${price}` }
}

/** The address of a route's picture below `/og`, without its ending: the landing's is `/index`. */
export function imageName(route: string): string {
  return route === '/' ? '/index' : route
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
