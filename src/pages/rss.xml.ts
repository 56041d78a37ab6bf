import rss from '@astrojs/rss'
import type { APIRoute } from 'astro'
import { listedPosts, postPath, tagName } from '#components/blog/posts.ts'
import { company } from '#lib/company.ts'

/** A feed reader keeps what it has seen, so the newest are enough. */
const longestFeed = 50

/** The blog as RSS 2.0: a summary and the address of each post, signed by the company. */
export const GET: APIRoute = async ({ site, url }) => {
  const home = new URL('/', site ?? url)
  const posts = (await listedPosts()).slice(0, longestFeed)
  return rss({
    title: `${company.name}: letters`,
    description: `Notes on calling abroad, from the people who make ${company.name}.`,
    site: new URL('/blog', home).href,
    trailingSlash: false,
    xmlns: { atom: 'http://www.w3.org/2005/Atom', dc: 'http://purl.org/dc/elements/1.1/' },
    customData: [
      '<language>en-gb</language>',
      `<atom:link href="${new URL('/rss.xml', home).href}" rel="self" type="application/rss+xml"/>`,
    ].join(''),
    items: posts.map(post => ({
      title: post.data.title,
      description: post.data.description,
      link: new URL(postPath(post), home).href,
      pubDate: post.data.publishedAt,
      categories: post.data.tags.map(tagName),
      customData: `<dc:creator>${company.name}</dc:creator>`,
    })),
  })
}
