import { getCollection } from 'astro:content'
import type { APIRoute } from 'astro'
import { listedPosts, postPath } from '#components/blog/posts.ts'
import { countryPath, tariff } from '#components/destinations.ts'
import { popular } from '#components/landing/popular.ts'
import { fillFacts } from '#components/legal/facts.ts'
import type { LegalName } from '#components/legal/legal-text.ts'
import { legalTitles } from '#components/legal/texts.ts'
import { questionGroups } from '#components/questions.ts'
import { ratesCsvPath, ratesJsonPath, tariffCsvPath } from '#lib/api/public-rates.ts'
import { company } from '#lib/company.ts'
import { formatCount } from '#lib/count.ts'
import { maxUsd, minUsd } from '#lib/money/credits.ts'
import { formatCharge, formatRate } from '#lib/money/money.ts'
import { defaultFreeCallTerms } from '#lib/money/pricing.ts'
import { cheapestRate } from '#lib/money/tariff.ts'
import { countries } from '#lib/numbers/countries.ts'

interface Link {
  readonly title: string
  readonly path: string
  readonly note?: string
}

/** This site for language models, as llmstxt.org has it: who we are, what counts, and where the rest stands. */
export const GET: APIRoute = async ({ site, url }) => {
  const home = site ?? url
  const legal = await getCollection('legal')
  const questions = (await questionGroups()).flatMap(group => group.questions)
  const posts = await listedPosts()
  const parts = [
    `# ${company.name}`,
    `> ${company.tagline}: mobiles and landlines in ${countries.length} destinations, prepaid, by the minute. Nobody you call needs an app or an account.`,
    facts().join('\n'),
    section(home, 'Prices', [
      { title: 'Rates of all countries as JSON', path: ratesJsonPath },
      { title: 'Rates of all countries as CSV', path: ratesCsvPath },
      { title: 'The whole tariff by number prefix as CSV', path: tariffCsvPath },
      { title: 'Destinations', path: '/destinations', note: 'every country on one page' },
      ...popular.map(({ destination: { name, isoCode, microUsdPerMinute, landlineMicroUsdPerMinute } }) => ({
        title: `Calling ${name}`,
        path: countryPath(isoCode),
        note: `${formatRate(microUsdPerMinute)} a minute to mobiles, ${formatRate(landlineMicroUsdPerMinute)} to landlines`,
      })),
    ]),
    section(home, 'Using it', [
      { title: 'Call', path: '/call', note: 'the dialler' },
      { title: 'Buy credits', path: '/buy-credits', note: 'with a calculator' },
      { title: 'Support', path: '/support', note: `or ${company.supportEmail}` },
    ]),
    section(home, 'API', [
      { title: 'API', path: '/api/docs', note: 'every endpoint, for people' },
      { title: 'OpenAPI 3.1', path: '/api/openapi.json', note: 'the same, for programs' },
    ]),
    section(
      home,
      'Terms',
      legal.map(({ id, data }) => ({
        title: legalTitles[id as LegalName],
        path: `/${id}`,
        note: fillFacts(data.description),
      })),
    ),
    section(
      home,
      'Questions',
      questions.map(({ name, question }) => ({ title: question, path: `/faq#${name}` })),
    ),
    section(
      home,
      'Optional',
      posts.map(post => ({ title: post.data.title, path: postPath(post), note: post.data.description })),
    ),
  ]
  return new Response(`${parts.join('\n\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

/** What is true of every call, of the rules that charge it. */
function facts(): readonly string[] {
  const { worthMicroUsd, longestMinutes } = defaultFreeCallTerms
  return [
    `- From ${formatRate(cheapestRate(tariff))} a minute. A call is charged from answer, each minute that begins; ringing, busy and failed calls cost nothing, and there is no connection fee.`,
    `- The first call of an account is free: until it would have cost ${formatCharge(worthMicroUsd)}, at most ${longestMinutes} minutes.`,
    `- Credits are bought in whole US dollars, $${formatCount(minUsd)} to $${formatCount(maxUsd)}; 1 credit is 1 US dollar.`,
    "- Emergency services cannot be reached. Your own number can be shown once it's verified; networks abroad may hide it.",
    '- The published rates are the ones that calls are charged by where they show a number of ours. Own numbers from outside the European Economic Area make calls into it cost more; the price of each call is shown before it.',
  ]
}

function section(home: URL, title: string, links: readonly Link[]): string {
  const lines = links.map(({ title: name, path, note }) => {
    const about = note === undefined ? '' : `: ${note}`
    return `- [${name}](${new URL(path, home).href})${about}`
  })
  return [`## ${title}`, '', ...lines].join('\n')
}
