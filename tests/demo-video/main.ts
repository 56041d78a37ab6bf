import { mkdirSync, writeFileSync } from 'node:fs'
import { chromium, type Page } from 'playwright'
import { browserFlags } from '#support/browser-flags.ts'
import { signUp } from '#support/people.ts'
import { startTestServer } from '#support/test-server.ts'
import { encode } from './encode.ts'
import { record, webVtt } from './recording.ts'
import { firstCall } from './story.ts'

const viewport = { width: 1280, height: 800 }
/** Twice what the landing shows it at on a phone, about what it shows on a desk. */
const filmSize = { width: 960, height: 600 }
const largestBytes = 1_000_000

/** Screencasts leave the pointer out: an arrow of ours follows it. */
function showPointer(page: Page): Promise<void> {
  return page.evaluate(() => {
    const arrow = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    arrow.setAttribute('viewBox', '0 0 24 24')
    arrow.innerHTML =
      '<path d="M4 2v18l5-4.500 3.500 6.500 3-1.500-3.500-6.500h6.500z" fill="#13203b" stroke="#fff" stroke-width="1.500"/>'
    Object.assign(arrow.style, {
      position: 'fixed',
      inset: '0 auto auto 0',
      width: '26px',
      pointerEvents: 'none',
      zIndex: '9999',
      translate: '640px 500px',
    })
    document.documentElement.append(arrow)
    addEventListener('mousemove', ({ clientX, clientY }) => {
      arrow.style.translate = `${clientX - 4}px ${clientY - 2}px`
    })
  })
}

const server = await startTestServer()
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] || '/usr/bin/chromium',
  args: [...browserFlags, '--headless=new'],
})
try {
  const context = await browser.newContext({ viewport, baseURL: server.url, colorScheme: 'light' })
  const page = await context.newPage()
  await signUp(page, { email: 'you@example.com' })
  await page.reload({ waitUntil: 'networkidle' })
  await showPointer(page)
  const recording = await record(page, say => firstCall(page, say))
  const film = await encode(context, server.url, recording, filmSize)
  if (film.byteLength > largestBytes) throw new Error(`the film has ${film.byteLength} bytes: make it calmer`)
  mkdirSync('public/video', { recursive: true })
  writeFileSync('public/video/first-call.webm', film)
  writeFileSync('public/video/first-call.vtt', webVtt(recording))
  console.log(
    `Film: ${(recording.lengthMs / 1000).toFixed(1)} s, ${film.byteLength} bytes, ${recording.frames.length} pictures`,
  )
} finally {
  await browser.close()
  await server.close()
}
