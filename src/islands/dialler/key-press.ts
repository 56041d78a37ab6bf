/** A pointer held down for so long means the key's second sign. */
export const longPressMs = 500

export interface KeyPressPorts {
  readonly onKey: (key: string) => void
  /** A key was held down for long; whether that key then counts as pressed already. */
  readonly onHold: (key: string) => boolean
}

/** What `KeyPress` needs of a pointer event. */
export type PointerPress = Pick<PointerEvent, 'button' | 'isPrimary'>

export interface KeyPress {
  down(key: string, pointer: PointerPress): void
  up(): void
  /** The pointer left the key or was taken away: a click need not follow. */
  leave(): void
  /** A click by pointer, or by keyboard and the like: those have no `detail`. */
  click(key: string, detail: number): void
}

/** Tells short presses from long ones. The click that ends a long press is none of its own. */
export function createKeyPress({ onKey, onHold }: KeyPressPorts): KeyPress {
  let holding: ReturnType<typeof setTimeout> | undefined
  let isDown = false
  let held = false

  return {
    down(key, { button, isPrimary }) {
      clearTimeout(holding)
      held = false
      isDown = isPrimary && button === 0
      if (!isDown) return
      holding = setTimeout(() => {
        held = onHold(key)
      }, longPressMs)
    },
    up() {
      clearTimeout(holding)
      isDown = false
    },
    leave() {
      clearTimeout(holding)
      // A finger also leaves when it is lifted, just before its click.
      if (isDown) held = false
      isDown = false
    },
    click(key, detail) {
      const counted = held && detail !== 0
      held = false
      if (!counted) onKey(key)
    },
  }
}
