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

/**
 * Under `require-trusted-types-for`, browsers accept text as HTML or as a script's URL only from a policy, so
 * that foreign text cannot become either by mistake. This policy is only for output of our own build.
 */
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
