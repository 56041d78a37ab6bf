// @module-tag slow
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { endRuns, run, type ServerRun } from '#support/server-run.ts'
import { openSmallBlog, type SmallBlog } from '#support/small-blog.ts'

let blog: SmallBlog

beforeAll(() => {
  blog = openSmallBlog()
}, 60_000)
afterAll(() => blog.close())

/** What an editor reads when a build stops. */
function complaint(): string {
  const { status, stdout, stderr } = blog.build()
  expect(status).not.toBe(0)
  return stdout + stderr
}

describe('an editor who made a mistake', () => {
  test('reads the file and every field that is wrong, and what to write', () => {
    blog.write('wrong.md', {
      title: undefined,
      description: 'too short',
      publishedAt: 'tomorrow',
      updatedAt: '2026-11-01',
      tags: '[Time Zones]',
      art: 'rocket',
      drafts: 'true',
    })
    const text = complaint()
    blog.remove('wrong.md')
    expect(text).toContain('src/content/blog/wrong.md')
    expect(text).toContain('title: write the title')
    expect(text).toContain('description: write one or two sentences: at least 50 characters')
    expect(text).toContain('publishedAt: write the day as 2026-11-12')
    expect(text).toContain('tags.0: write tags in lower-case letters: time-zones')
    expect(text).toContain('art: choose one of globe, dial, pillar, telephone, wires')
    expect(text).toContain('no such field: drafts')
  })

  test('reads the post, the component and the number that cannot be called', () => {
    blog.write('wrong-number.mdx', {}, '<DialExample country="GB" written="020 7946" />')
    const text = complaint()
    blog.remove('wrong-number.mdx')
    expect(text).toContain(
      'src/content/blog/wrong-number.mdx: <DialExample>: 020 7946 is no number that can be called in GB',
    )
  })

  test('reads that components need .mdx', () => {
    blog.write('plain.md', {}, 'The price: <RateCard country="IN" />')
    const text = complaint()
    blog.remove('plain.md')
    expect(text).toContain('src/content/blog/plain.md: <RateCard> is a component')
  })
})

describe('a blog of 45 posts and a draft', () => {
  beforeAll(() => {
    for (let number = 1; number <= 45; number += 1) {
      const day = new Date(Date.UTC(2026, 0, number)).toISOString().slice(0, 10)
      blog.write(`post-${number}.md`, { title: `Post ${number}`, publishedAt: day })
    }
    blog.write('secret.md', { title: 'A secret', tags: '[secrets]', draft: 'true' })
    const { status, stderr } = blog.build()
    if (status !== 0) throw new Error(stderr)
  }, 60_000)

  const postsOf = (html: string | undefined) =>
    [...(html ?? '').matchAll(/<h2><a href="\/blog\/([^"]+)"/g)].map(match => match[1])

  test('keeps the draft out of its pages, lists, tags and feed', () => {
    for (const file of ['blog/secret.html', 'blog/tags/secrets.html']) expect(blog.read(file)).toBeUndefined()
    for (const file of ['blog.html', 'blog/post-45.html', 'rss.xml', 'sitemap-pages-0.xml']) {
      expect(blog.read(file), file).toBeDefined()
      expect(blog.read(file), file).not.toContain('secret')
    }
  })

  test('lists twenty on a page, newest first, each post once', () => {
    const pages = ['blog.html', 'blog/page/2.html', 'blog/page/3.html'].map(file => postsOf(blog.read(file)))
    expect(pages.map(posts => posts.length)).toEqual([20, 20, 5])
    expect(pages.flat()).toEqual(Array.from({ length: 45 }, (_, index) => `post-${45 - index}`))
    expect(blog.read('blog/page/4.html')).toBeUndefined()
  })

  test('leads from page to page, and does so for a tag', () => {
    const pages = (file: string) =>
      [...(blog.read(file) ?? '').matchAll(/href="([^"]+)" rel="(prev|next)"/g)].map(match => match[1])
    expect(pages('blog.html')).toEqual(['/blog/page/2'])
    expect(pages('blog/page/2.html')).toEqual(['/blog', '/blog/page/3'])
    expect(pages('blog/tags/dialling.html')).toEqual(['/blog/tags/dialling/2'])
    expect(pages('blog/tags/dialling/3.html')).toEqual(['/blog/tags/dialling/2'])
  })

  test('leads from a post to the one before and the one after', () => {
    const neighbours = (number: number) => {
      const [, nav = ''] =
        /aria-label="More letters">(.*?)<\/nav>/s.exec(blog.read(`blog/post-${number}.html`) ?? '') ?? []
      return [...nav.matchAll(/href="([^"]+)"/g)].map(match => match[1])
    }
    expect(neighbours(45)).toEqual(['/blog/post-44'])
    expect(neighbours(20)).toEqual(['/blog/post-21', '/blog/post-19'])
    expect(neighbours(1)).toEqual(['/blog/post-2'])
  })
})

describe('two builds at once', () => {
  const waiting = 'Another build of this site is running; waiting for it ...\n'
  const built = expect.stringMatching(/^Site built in [\d.]+ s\n$/)
  const start = () =>
    run({}, [process.execPath, join(blog.folder, 'scripts/build.mjs'), '--draft', '--if-changed'])
  afterEach(endRuns)

  test('follow one another, and the second one finds its work done', async () => {
    blog.write('new.md', { title: 'New' })
    const builds = [start(), start()]
    expect(await Promise.all(builds.map(({ exitCode }) => exitCode()))).toEqual([0, 0])
    const outputs = builds.map(({ output }) => output())
    expect(outputs).toHaveLength(2)
    expect(outputs).toEqual(expect.arrayContaining([waiting, built]))
    expect(blog.read('blog/new.html')).toContain('New')
  })

  test('end with a site, too, if the first one is killed', async () => {
    blog.write('newer.md', { title: 'Newer' })
    const builds = [start(), start()]
    const isWaiting = ({ output }: ServerRun) => output() === waiting
    await expect.poll(() => builds.filter(isWaiting).length, { timeout: 20_000 }).toBe(1)
    const [second] = builds.filter(isWaiting)
    for (const { child } of builds) if (child !== second?.child) child.kill('SIGKILL')
    expect(await second?.exitCode()).toBe(0)
    expect(second?.output().slice(waiting.length)).toEqual(built)
    expect(blog.read('blog/newer.html')).toContain('Newer')
  })
})
