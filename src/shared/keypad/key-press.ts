/** How long a press must last to mean the key's second sign. */
export const longPressMs = 500

export interface KeyPressPorts {
  readonly onKey: (key: string) => void
  /** @returns whether the key then counts as already pressed */
  readonly onHold: (key: string) => boolean
}

export type PointerPress = Pick<PointerEvent, 'button' | 'isPrimary'>

export interface KeyPress {
  down(key: string, pointer: PointerPress): void
  up(): void
  /** The pointer left or was cancelled; a click may not follow. */
  leave(): void
  /** @param detail 0 for clicks by keyboard and assistive technology */
  click(key: string, detail: number): void
}

/** Tells short presses from long ones. The click after a long press is ignored. */
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
