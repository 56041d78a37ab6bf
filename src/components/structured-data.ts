import { company } from '#lib/company.ts'
import { companyTexts } from '#lib/company-texts.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { localPath } from '#lib/i18n/path.ts'
import { structuredTexts } from './structured-data-texts.ts'

/** Structured data for search engines: schema.org vocabulary as JSON-LD. Pages pass it to their layout. */
export type StructuredData = Readonly<Record<string, unknown>>

const context = 'https://schema.org'

function absolute(path: string, site: URL): string {
  return new URL(path, site).href
}

export function organization(site: URL): StructuredData {
  return {
    '@context': context,
    ...thisCompany(site),
    logo: absolute('/brand/icon-512.png', site),
    email: company.supportEmail,
    address: { '@type': 'PostalAddress', addressLocality: companyTexts.city, addressCountry: 'GB' },
  }
}

/** A reference to the same organisation, for use on any page. */
function thisCompany(site: URL): StructuredData {
  return {
    '@type': 'Organization',
    '@id': absolute('/#organization', site),
    name: company.name,
    url: absolute('/', site),
  }
}

export interface CallingOffer {
  /** What is sold: `Calls to mobiles in India`. */
  readonly name: string
  readonly usdPerMinute: number
}

/** Minimum and maximum rate per minute over a number of destinations. */
export interface CallingRange {
  readonly lowUsdPerMinute: number
  readonly highUsdPerMinute: number
  readonly count: number
}

/** The price of each offer is per minute. @param provider in full if no other data of the page describes it */
export function callingService(
  {
    name,
    description,
    path,
    areaServed,
    offers,
  }: {
    readonly name: string
    readonly description: string
    readonly path: string
    /** Country name; omitted for all destinations. */
    readonly areaServed?: string
    readonly offers: readonly CallingOffer[] | CallingRange
  },
  site: URL,
  provider = thisCompany(site),
): StructuredData {
  return {
    '@context': context,
    '@type': 'Service',
    serviceType: structuredTexts.service,
    name,
    description,
    url: absolute(localPath(path), site),
    provider,
    ...(areaServed === undefined ? {} : { areaServed: { '@type': 'Country', name: areaServed } }),
    offers: 'count' in offers ? rangeData(offers) : offers.map(offerData),
  }
}

function offerData({ name, usdPerMinute }: CallingOffer): StructuredData {
  return {
    '@type': 'Offer',
    name,
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price: usdPerMinute,
      priceCurrency: 'USD',
      unitCode: 'MIN',
    },
  }
}

function rangeData({ lowUsdPerMinute, highUsdPerMinute, count }: CallingRange): StructuredData {
  return {
    '@type': 'AggregateOffer',
    priceCurrency: 'USD',
    lowPrice: lowUsdPerMinute,
    highPrice: highUsdPerMinute,
    offerCount: count,
  }
}

export interface Crumb {
  readonly name: string
  readonly path: string
}

export function breadcrumbList(crumbs: readonly Crumb[], site: URL): StructuredData {
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: absolute(localPath(path), site),
    })),
  }
}

export function blogPosting(
  {
    title,
    description,
    path,
    imagePath,
    publishedAt,
    updatedAt,
    tags,
  }: {
    readonly title: string
    readonly description: string
    readonly path: string
    readonly imagePath: string
    readonly publishedAt: Date
    readonly updatedAt?: Date | undefined
    readonly tags: readonly string[]
  },
  site: URL,
): StructuredData {
  const author = thisCompany(site)
  return {
    '@context': context,
    '@type': 'BlogPosting',
    headline: title,
    description,
    url: absolute(path, site),
    mainEntityOfPage: absolute(path, site),
    image: absolute(imagePath, site),
    datePublished: publishedAt.toISOString(),
    inLanguage: sourceLanguage,
    dateModified: (updatedAt ?? publishedAt).toISOString(),
    keywords: tags.join(', '),
    author,
    publisher: author,
  }
}
