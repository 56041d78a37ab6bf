// Finds or installs a browser for the end-to-end tests. Runs on the repository's own Node.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of a full Chromium: Playwright's own, the system's, or one installed now; undefined if there is none. */
export function findBrowser() {
  return present() ?? (installFromDebian() ? present() : undefined) ?? (download() ? present() : undefined)
}

function present() {
  return [chromium.executablePath(), ...systemBrowsers].find(path => existsSync(path))
}

function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log('Installing Chromium for the end-to-end tests (once) ...')
  const run = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  run('update', '-qq')
  return run('install', '-y', '-qq', '--no-install-recommends', 'chromium')
}

function download() {
  console.log('Downloading Chromium for the end-to-end tests (once) ...')
  return spawnSync('playwright', ['install', 'chromium', '--no-shell'], { stdio: 'ignore' }).status === 0
}
