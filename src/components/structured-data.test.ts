import { expect, test } from 'vitest'
import { blogPosting, breadcrumbList, callingService, organization } from './structured-data.ts'

const site = new URL('https://farline.example')
const company = {
  '@type': 'Organization',
  '@id': 'https://farline.example/#organization',
  name: 'Farline',
  url: 'https://farline.example/',
}

test('the company has a name, an address, a logo, and one identity on all pages', () => {
  expect(organization(site)).toMatchObject({
    '@context': 'https://schema.org',
    ...company,
    logo: 'https://farline.example/brand/icon-512.png',
    email: 'support@farline.example',
    address: { '@type': 'PostalAddress', addressLocality: 'London', addressCountry: 'GB' },
  })
})

test('a service names its provider, where it is given, and its price per minute', () => {
  const service = callingService(
    {
      name: 'Calls to India',
      description: 'By the minute.',
      path: '/calling/in',
      areaServed: 'India',
      offers: [{ name: 'Calls to mobiles in India', usdPerMinute: 0.024 }],
    },
    site,
  )
  expect(service).toMatchObject({
    '@type': 'Service',
    url: 'https://farline.example/calling/in',
    provider: company,
    areaServed: { '@type': 'Country', name: 'India' },
    offers: [
      {
        '@type': 'Offer',
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          price: 0.024,
          priceCurrency: 'USD',
          unitCode: 'MIN',
        },
      },
    ],
  })
  const everywhere = callingService(
    {
      name: 'Calls',
      description: 'All.',
      path: '/',
      offers: { lowUsdPerMinute: 0.02, highUsdPerMinute: 0.024, count: 10 },
    },
    site,
  )
  expect(everywhere).not.toHaveProperty('areaServed')
  expect(everywhere['offers']).toEqual({
    '@type': 'AggregateOffer',
    priceCurrency: 'USD',
    lowPrice: 0.02,
    highPrice: 0.024,
    offerCount: 10,
  })
})

test('breadcrumbs count from one, from the top down', () => {
  const crumbs = [
    { name: 'Farline', path: '/' },
    { name: 'Blog', path: '/blog' },
  ]
  expect(breadcrumbList(crumbs, site)).toMatchObject({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Farline', item: 'https://farline.example/' },
      { '@type': 'ListItem', position: 2, name: 'Blog', item: 'https://farline.example/blog' },
    ],
  })
})

test('an article is signed by the company and says when it changed, or that it did not', () => {
  const article = {
    title: 'Trunk zeros',
    description: 'Why a zero goes.',
    path: '/blog/trunk-zeros',
    imagePath: '/og/blog/trunk-zeros.png',
    publishedAt: new Date('2026-01-02'),
    tags: ['dialling', 'numbers'],
  }
  expect(blogPosting(article, site)).toMatchObject({
    '@type': 'BlogPosting',
    headline: 'Trunk zeros',
    mainEntityOfPage: 'https://farline.example/blog/trunk-zeros',
    image: 'https://farline.example/og/blog/trunk-zeros.png',
    datePublished: '2026-01-02T00:00:00.000Z',
    dateModified: '2026-01-02T00:00:00.000Z',
    keywords: 'dialling, numbers',
    author: company,
    publisher: company,
  })
  const later = blogPosting({ ...article, updatedAt: new Date('2026-03-04') }, site)
  expect(later).toMatchObject({ dateModified: '2026-03-04T00:00:00.000Z' })
})
