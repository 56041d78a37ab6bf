import { atom, type ReadableAtom } from 'nanostores'

/** What Chromium tells a page that may be installed; `src/components/AppInstall.astro` keeps it for whoever asks later. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

declare global {
  interface Window {
    installOffer?: InstallOffer | undefined
  }
}

const $offered = atom(false)
/** Whether this browser offers to install the site as an app, and has not done so yet. Written here alone. */
export const $installOffered: ReadableAtom<boolean> = $offered

function look(): void {
  $offered.set(window.installOffer !== undefined)
}

/**
 * Keeps in step with what the browser offers. It is never taken up by itself.
 * @returns ends it
 */
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

/** Has the browser ask whether to install the app. An offer can be taken up once: the browser makes another when it likes. */
export async function installApp(): Promise<void> {
  const offer = window.installOffer
  window.installOffer = undefined
  look()
  await offer?.prompt()
}

/** Whether this browser can open telephone links with a page; nobody can be asked whether it does. */
export function canOpenPhoneLinks(): boolean {
  return 'registerProtocolHandler' in navigator && !matchMedia('(pointer: coarse)').matches
}

/** Has the browser ask whether `tel:` links are to open the dialler, with the number filled in. Only after a press. */
export function openPhoneLinksHere(): void {
  navigator.registerProtocolHandler('tel', `${window.location.origin}/call?number=%s`)
}
