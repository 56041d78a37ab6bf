import type { Page } from 'playwright/test'

export interface PluggedAuthenticator {
  /** The user names of the passkeys that it would offer. */
  offered(): Promise<(string | undefined)[]>
}

/** What a telephone or a laptop has built in, in software: it keeps passkeys and always knows its user. */
export async function plugAuthenticatorIn(page: Page): Promise<PluggedAuthenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    offered: async () => {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.map(({ userName }) => userName)
    },
  }
}
