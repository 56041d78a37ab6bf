import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './main.ts'
import { describeBuild, forgetBuilds, measureBuild } from './measured-build.ts'
import { copyProject } from './project-copy.ts'

const posts = 1000
/** For the site as it is, on two cores. */
const maxSeconds = 15

/** How long the site takes to build on a fresh clone, and what each post adds in time and in memory. */
export async function benchThousandPosts(): Promise<Figure[]> {
  const copy = copyProject()
  try {
    const asItIs = await measureBuild(copy)
    forgetBuilds(copy)
    for (let number = 1; number <= posts; number += 1) writePost(copy, number)
    const withPosts = await measureBuild(copy)
    if (!existsSync(join(copy, 'dist', 'blog', `${nameOf(posts)}.html`)))
      throw new Error('the added posts were not built')
    const msPerPost = ((withPosts.seconds - asItIs.seconds) * 1000) / posts
    const kibPerPost = (withPosts.peakBytes - asItIs.peakBytes) / posts / 1024
    const verdict = asItIs.seconds <= maxSeconds ? 'holds' : 'MISSED'
    return [
      {
        what: `building the site afresh, ${availableParallelism()} cores`,
        value: `${describeBuild(asItIs)} (at most ${maxSeconds} s: ${verdict})`,
      },
      { what: `building it afresh with ${posts} plain posts more`, value: describeBuild(withPosts) },
      {
        what: 'each post adds',
        value: `${msPerPost.toFixed(0)} ms, ${kibPerPost.toFixed(0)} KiB at the peak`,
      },
    ]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function nameOf(number: number): string {
  return `a-plain-post-${number}`
}

/** As long as one of ours, with headings, lists and links; no two alike. */
function writePost(copy: string, number: number): void {
  const day = new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10)
  const sections = Array.from({ length: 8 }, (_, section) =>
    [
      `## Section ${section + 1} of post ${number}`,
      `${sentence(number, section)} `.repeat(8).trim(),
      `- ${sentence(number, section)}\n- See [the rates](/destinations) and *one* **word**.`,
      `${sentence(section, number)} `.repeat(8).trim(),
    ].join('\n\n'),
  )
  const text = `---
title: Plain post number ${number}
description: A generated post that shows what one more article costs when the whole site is built.
publishedAt: ${day}
tags: [${number % 2 === 0 ? 'prices' : 'sound'}]
art: globe
ink: blue
---

${sections.join('\n\n')}
`
  writeFileSync(join(copy, 'src', 'content', 'blog', `${nameOf(number)}.md`), text)
}

function sentence(one: number, other: number): string {
  return `Post ${one} says in part ${other} that a call takes ${one + other} seconds.`
}
