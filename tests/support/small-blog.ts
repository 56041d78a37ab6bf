import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** A copy of the project with only the blog's pages, and without posts. */
export interface SmallBlog {
  readonly folder: string
  /** Writes a post. Fields override those of a valid one; `undefined` omits a field. */
  write(file: string, fields?: Readonly<Record<string, string | undefined>>, body?: string): void
  remove(file: string): void
  /** On success, pages and files are in `dist`. */
  build(): SpawnSyncReturns<string>
  /** Contents of a built file, such as `blog.html`; undefined when it does not exist. */
  read(file: string): string | undefined
  close(): void
}

const rightFields: Readonly<Record<string, string>> = {
  title: 'A post',
  description: 'A post that shows what the build makes of what stands in it.',
  publishedAt: '2026-11-12',
  tags: '[dialling]',
  art: 'globe',
  ink: 'red',
}

export function openSmallBlog(): SmallBlog {
  const folder = mkdtempSync(join(tmpdir(), 'farline-blog-'))
  for (const name of [
    'src',
    'server',
    'scripts',
    'public',
    'astro.config.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  const pages = join(folder, 'src/pages')
  for (const name of readdirSync(pages)) {
    if (name !== 'blog' && name !== 'rss.xml.ts') rmSync(join(pages, name), { recursive: true })
  }
  // One other language shows what any other would.
  const languages = join(folder, 'src/languages')
  for (const name of readdirSync(languages)) {
    if (name !== 'es') rmSync(join(languages, name), { recursive: true })
  }
  const posts = join(folder, 'src/content/blog')
  rmSync(posts, { recursive: true })
  mkdirSync(posts)
  // A real folder of symlinks, so that build caches inside node_modules stay in the copy.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.'))
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const astro = join(root, 'node_modules/astro/bin/astro.mjs')
  return {
    folder,
    write(file, fields = {}, body = 'A post.') {
      const lines = Object.entries({ ...rightFields, ...fields }).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}: ${value}`],
      )
      writeFileSync(join(posts, file), ['---', ...lines, '---', '', body, ''].join('\n'))
    },
    remove: file => rmSync(join(posts, file)),
    build: () =>
      spawnSync(process.execPath, [astro, 'build'], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
      }),
    read(file) {
      const path = join(folder, 'dist', file)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
