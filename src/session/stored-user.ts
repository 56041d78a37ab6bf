import { localStore } from './storage.ts'

/** The user whose access token this browser has, valid or not; null for a visitor. For what the browser keeps, never for access. */
export function storedUserId(): string | null {
  try {
    const [, payload = ''] = (localStore.read('token') ?? '').split('.')
    const { sub }: { sub?: unknown } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
    return typeof sub === 'string' ? sub : null
  } catch {
    return null // Missing, or no token of ours.
  }
}
