import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, isListening } from './program.ts'
import { findFreePort } from './test-server.ts'
import { type DrivenPage, openDrivenPage } from './webdriver.ts'

// Debian's WebKitGTK: its driver, the small browser that it drives, and the display without which that one does not start.
const driverPath = findProgram('WebKitWebDriver')
const [browserPath] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
const displayPath = findProgram('Xvfb')

/** The reason why WebKit cannot run here; undefined when it can. */
export function whyNoWebkit(): string | undefined {
  return [driverPath, browserPath, displayPath].includes(undefined)
    ? 'WebKit is not installed. Install it, for example `apt-get install webkit2gtk-driver xvfb` as root, and run this again.'
    : undefined
}

/** Otherwise the toolbar keeps the window 447 px wide. */
const bareToolbar =
  '* { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }'
const reducedMotion = '[Settings]\ngtk-enable-animations=false\n'

/** Starts WebKit on a display of its own. It knows nothing of earlier runs. */
export async function launchWebkit({ dark = false } = {}): Promise<DrivenPage> {
  const home = mkdtempSync(join(tmpdir(), 'farline-webkit-'))
  mkdirSync(join(home, 'gtk-3.0'))
  writeFileSync(join(home, 'gtk-3.0', 'gtk.css'), bareToolbar)
  writeFileSync(join(home, 'gtk-3.0', 'settings.ini'), reducedMotion)
  const display = spawn(
    displayPath ?? 'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1400x1400x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const [number] = await once(display.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await findFreePort()
  const driver = spawn(driverPath ?? 'WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(number).trim()}`, HOME: home, XDG_CONFIG_HOME: home },
  })
  await isListening(driver, port)
  const args = ['--automation', ...(dark ? ['--dark-mode'] : [])]
  const page = await openDrivenPage(`http://127.0.0.1:${port}`, {
    'webkitgtk:browserOptions': { binary: browserPath, args },
  })
  return {
    ...page,
    async close() {
      await page.close()
      for (const child of [driver, display]) await end(child)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill()
  await gone
}
