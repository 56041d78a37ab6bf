import { useState } from 'react'
import { keepTypesAnywhere, typesAnywhere } from '#shared/keypad/typing.ts'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

/** Whether the dialler takes digits typed outside its field. */
export function Typing() {
  const [on, setOn] = useState(typesAnywhere)
  return (
    <Section id="profile-keyboard" title={texts.keyboard} about={texts.aboutKeyboard}>
      <label className="switch">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked
          role="switch"
          checked={on}
          onChange={({ target }) => {
            setOn(target.checked)
            keepTypesAnywhere(target.checked)
          }}
        />
        {texts.typeAnywhere}
      </label>
    </Section>
  )
}
