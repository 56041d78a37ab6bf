import { createPrivatePage, type PageAnswer, type PrivatePage } from '#session/private-page.ts'

/** The receipt that `?id=` in the address names. The value is null if that is no receipt of this user. */
export function createReceiptStore<Receipt>(
  ask: (id: string) => Promise<PageAnswer<Receipt>>,
): PrivatePage<Receipt | null> {
  return createPrivatePage<Receipt | null>(
    () => `${window.location.pathname}${window.location.search}`,
    async () => {
      const id = new URL(window.location.href).searchParams.get('id') ?? ''
      const result = id === '' ? none : await ask(id)
      return !result.ok && (result.status === 404 || result.status === 400) ? none : result
    },
  )
}

const none = { ok: true, value: null } as const
