import { readFileSync } from 'node:fs'
import type { BrowserContext } from 'playwright/test'
import type { Frame, Recording } from './recording.ts'

const framesPerSecond = 12
const bitsPerSecond = 80_000

/**
 * The recording as a WebM film (VP9), encoded by the browser itself: no other program is needed.
 * @param origin a secure one, which the browser's encoder asks for
 */
export async function encode(
  context: BrowserContext,
  origin: string,
  recording: Recording,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const page = await context.newPage()
  await page.route('**/film/**', route =>
    route.request().url().endsWith('.mjs')
      ? route.fulfill({
          contentType: 'text/javascript',
          body: readFileSync('node_modules/mediabunny/dist/bundles/mediabunny.min.mjs'),
        })
      : route.fulfill({ contentType: 'text/html', body: '<title>Encoder</title>' }),
  )
  await page.goto(`${origin}/film/encoder`)
  const base64 = await page.evaluate(
    async ({ frames, lengthMs, framesPerSecond, bitsPerSecond, width, height }) => {
      const path = '/film/mediabunny.mjs'
      const { Output, WebMOutputFormat, BufferTarget, CanvasSource }: typeof import('mediabunny') =
        await import(path)
      const canvas = new OffscreenCanvas(width, height)
      const paper = canvas.getContext('2d')
      if (!paper) throw new Error('no canvas to draw on')
      const target = new BufferTarget()
      const output = new Output({ format: new WebMOutputFormat(), target })
      const source = new CanvasSource(canvas, { codec: 'vp9', bitrate: bitsPerSecond })
      output.addVideoTrack(source, { frameRate: framesPerSecond })
      await output.start()
      let shown = -1
      for (let index = 0; index * 1000 < lengthMs * framesPerSecond; index += 1) {
        const atMs = (index * 1000) / framesPerSecond
        const wanted = Math.max(
          0,
          frames.findLastIndex(frame => frame.atMs <= atMs),
        )
        if (wanted !== shown) {
          const bytes = Uint8Array.from(atob(frames[wanted]?.png ?? ''), letter => letter.charCodeAt(0))
          paper.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0, width, height)
          shown = wanted
        }
        await source.add(index / framesPerSecond, 1 / framesPerSecond)
      }
      await output.finalize()
      const bytes = new Uint8Array(target.buffer ?? new ArrayBuffer())
      let text = ''
      for (const byte of bytes) text += String.fromCharCode(byte)
      return btoa(text)
    },
    {
      frames: lastOfEachTick(recording.frames),
      lengthMs: recording.lengthMs,
      framesPerSecond,
      bitsPerSecond,
      width,
      height,
    },
  )
  await page.close()
  return Buffer.from(base64, 'base64')
}

/** The pictures that the film shows: of several within one of its frames the last. A quick machine takes many. */
function lastOfEachTick(frames: readonly Frame[]): readonly Frame[] {
  const tickOf = ({ atMs }: Frame) => Math.floor((atMs * framesPerSecond) / 1000)
  return frames.filter((frame, index) => {
    const next = frames[index + 1]
    return next === undefined || tickOf(next) !== tickOf(frame)
  })
}
