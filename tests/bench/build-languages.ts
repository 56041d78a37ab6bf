import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLanguages } from '#scripts/build/languages/catalogues.mjs'
import type { Figure } from './main.ts'
import { type Build, describeBuild, forgetBuilds, measureBuild } from './measured-build.ts'
import { copyProject } from './project-copy.ts'

const maxSeconds = 60
const maxSecondsAfterMessage = 10
const maxPeakBytes = 1.5 * 1024 ** 3

/** What each language adds to a build on a fresh clone, and how long the build takes after a change of one message. */
export async function benchBuildLanguages(): Promise<Figure[]> {
  const copy = copyProject()
  try {
    const tags = readLanguages().map(({ tag }) => tag)
    const build = async (published: readonly string[]) => {
      forgetBuilds(copy)
      for (const tag of tags)
        edit(copy, tag, 'language', language => ({ ...language, published: published.includes(tag) }))
      return { ...(await measureBuild(copy)), siteBytes: bytesIn(join(copy, 'dist')) }
    }
    const english = await build([])
    const two = await build(tags.slice(0, 1))
    const all = await build(tags)
    const [tag = ''] = tags
    edit(copy, tag, 'account', messages =>
      Object.fromEntries(Object.entries(messages).map(([key, text], at) => [key, at ? text : `${text}.`])),
    )
    const afterMessage = await measureBuild(copy)
    const added = all.siteBytes - english.siteBytes
    const what = `all ${tags.length + 1} languages`
    return [
      { what: 'building English alone afresh', value: describeBuild(english) },
      { what: 'English and one more language', value: compared(two, english) },
      { what, value: `${compared(all, english)} (${verdict(all, maxSeconds)})` },
      {
        what: `${what}, after a change of one message`,
        value: `${compared(afterMessage, english)} (${verdict(afterMessage, maxSecondsAfterMessage)})`,
      },
      {
        what: 'each language adds',
        value: `${((all.seconds - english.seconds) / tags.length).toFixed(1)} s, ${mib(added / tags.length)} of site`,
      },
    ]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function compared(build: Build, english: Build): string {
  return `${describeBuild(build)}, ${(build.seconds / english.seconds).toFixed(1)} times English`
}

function verdict({ seconds, peakBytes }: Build, limit: number): string {
  const holds = seconds <= limit && peakBytes <= maxPeakBytes
  return `at most ${limit} s and ${mib(maxPeakBytes)}: ${holds ? 'holds' : 'MISSED'}`
}

function mib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`
}

/** Changes a file of a language in the copy. */
function edit(copy: string, tag: string, name: string, change: (content: object) => object): void {
  const file = join(copy, 'src', 'languages', tag, `${name}.json`)
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
