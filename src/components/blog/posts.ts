import { type CollectionEntry, getCollection } from 'astro:content'
import { tagTexts } from './texts.ts'

export type Post = CollectionEntry<'blog'>

export const postsPerPage = 20

/** Not `import.meta.env.DEV`, which a build takes from a variable DEV where there is one: a test runner sets it. */
const showsDrafts = process.env.NODE_ENV === 'development'

/** What is published, newest first, and in `npm run dev` the drafts among it. */
export async function listedPosts(): Promise<readonly Post[]> {
  const posts = await getCollection('blog', ({ data }) => showsDrafts || !data.draft)
  return posts.sort(
    (a, b) => b.data.publishedAt.getTime() - a.data.publishedAt.getTime() || a.id.localeCompare(b.id),
  )
}

export function postPath({ id }: Pick<Post, 'id'>): string {
  return `/blog/${id}`
}

/** The list's pages from 1 on. */
export function listPath(page: number): string {
  return page === 1 ? '/blog' : `/blog/page/${page}`
}

export function tagPath(tag: string, page = 1): string {
  return page === 1 ? `/blog/tags/${tag}` : `/blog/tags/${tag}/${page}`
}

/** A tag as it is read, in the language of the page: `time-zones` is `time zones`. */
export function tagName(tag: string): string {
  return tag in tagTexts ? tagTexts[tag as keyof typeof tagTexts] : tag.replaceAll('-', ' ')
}

/** Every tag with its posts, in the order of `posts`. */
export function postsByTag(posts: readonly Post[]): ReadonlyMap<string, readonly Post[]> {
  const byTag = new Map<string, Post[]>()
  for (const post of posts) {
    for (const tag of new Set(post.data.tags)) byTag.set(tag, [...(byTag.get(tag) ?? []), post])
  }
  return byTag
}

export interface ListPage {
  /** From 1 on. */
  readonly page: number
  readonly lastPage: number
  readonly posts: readonly Post[]
}

/** The pages of a list; one even when there is nothing to show. */
export function paginate(posts: readonly Post[]): readonly ListPage[] {
  const lastPage = Math.max(1, Math.ceil(posts.length / postsPerPage))
  return Array.from({ length: lastPage }, (_, index) => ({
    page: index + 1,
    lastPage,
    posts: posts.slice(index * postsPerPage, (index + 1) * postsPerPage),
  }))
}
