import type { ComponentProps, ReactNode } from 'react'

export interface SwitchProps extends Pick<ComponentProps<'input'>, 'name' | 'aria-describedby'> {
  readonly on: boolean
  readonly onSwitch: (on: boolean) => void
  /** Its label. */
  readonly children: ReactNode
}

export function Switch({ on, onSwitch, children, ...input }: SwitchProps) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked
        role="switch"
        checked={on}
        onChange={event => onSwitch(event.target.checked)}
        {...input}
      />
      {children}
    </label>
  )
}
