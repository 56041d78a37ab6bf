import { join } from 'node:path'
import { build } from 'vite'
import type { TestServer } from './test-server.ts'
import { assumptions } from './vendor-assumptions.ts'

/** A page of either driver. */
interface AnyPage {
  goto(url: string): Promise<unknown>
  evaluate(code: string): Promise<unknown>
}

let bundling: Promise<string> | undefined

/** The adapter and the real client, as one script. */
function bundle(): Promise<string> {
  bundling ??= build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify: false,
      lib: {
        entry: join(import.meta.dirname, 'vendor-assumptions.ts'),
        formats: ['iife'],
        name: 'vendor',
      },
    },
  }).then(built => {
    const [bundled] = built as { output: { code: string }[] }[]
    return bundled?.output[0]?.code ?? ''
  })
  return bundling
}

/** Tries each assumption in a call of its own, from a page of our site. @returns what is wrong with those that are */
export async function tryAssumptions(page: AnyPage, farline: TestServer): Promise<Record<string, unknown>> {
  const code = await bundle()
  const tokens = await farline.addCallers(assumptions.length, 500)
  const wrong: Record<string, unknown> = {}
  for (const [nth, name] of assumptions.entries()) {
    // It has no script but the frame's.
    await page.goto(`${farline.url}/terms`)
    await page.evaluate(`${code}; window.vendor = vendor`)
    const found = await page.evaluate(`window.vendor.checkAssumption('${name}', '${tokens[nth]}')`)
    if (found !== null) wrong[name] = found
  }
  return wrong
}
