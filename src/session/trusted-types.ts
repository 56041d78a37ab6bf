declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createHTML(html: string): string; createScriptURL(url: string): string },
      ): { createHTML(html: string): TrustedHTML; createScriptURL(url: string): string }
    }
  }
}

/** Where trusted types are required, HTML and script URLs must come from a policy. This one is for our own output. */
const policy = globalThis.window?.trustedTypes?.createPolicy('farline', {
  createHTML: html => html,
  createScriptURL: url => url,
})

export function ownHtml(html: string): string | TrustedHTML {
  return policy?.createHTML(html) ?? html
}

export function ownScriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url
}
