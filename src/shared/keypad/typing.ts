import { localStore } from '#session/storage.ts'

const key = 'typing'

/** Whether the dialler takes digits typed anywhere on its page. WCAG 2.1.4 asks that keys without a modifier can be switched off. */
export function typesAnywhere(): boolean {
  return localStore.read(key) !== 'off'
}

export function keepTypesAnywhere(on: boolean): void {
  if (on) localStore.remove(key)
  else localStore.write(key, 'off')
}
