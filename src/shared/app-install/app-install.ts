import { atom, type ReadableAtom } from 'nanostores'
import { localPath } from '#lib/i18n/path.ts'

/** Chromium's `beforeinstallprompt` event; `src/components/AppInstall.astro` keeps it for later. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

declare global {
  interface Window {
    installOffer?: InstallOffer | undefined
  }
}

const $offered = atom(false)
export const $installOffered: ReadableAtom<boolean> = $offered

/** Never on iPhones and iPads, which alone have `standalone`: an installed app may lose the microphone there. */
function look(): void {
  $offered.set(window.installOffer !== undefined && !('standalone' in navigator))
}

/** Follows the browser's offer; never prompts. @returns stops following */
export function followInstallOffer(): () => void {
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('beforeinstallprompt', look, { signal })
  window.addEventListener(
    'appinstalled',
    () => {
      window.installOffer = undefined
      look()
    },
    { signal },
  )
  look()
  return () => listening.abort()
}

/** Shows the browser's install prompt. An offer works once; the browser may make another later. */
export async function installApp(): Promise<void> {
  const offer = window.installOffer
  window.installOffer = undefined
  look()
  await offer?.prompt()
}

/** Whether this browser can open `tel:` links with a page. There is no API to ask whether it already does. */
export function canOpenPhoneLinks(): boolean {
  return 'registerProtocolHandler' in navigator && !matchMedia('(pointer: coarse)').matches
}

/** Asks to register the dialler for `tel:` links. Needs a user gesture. */
export function openPhoneLinksHere(): void {
  navigator.registerProtocolHandler('tel', `${window.location.origin}${localPath('/call')}#number=%s`)
}
