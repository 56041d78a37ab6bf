import { useState } from 'react'
import { keepTypesAnywhere, typesAnywhere } from '#shared/keypad/typing.ts'
import { Switch } from '#ui/Switch.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

/** Whether the dialler takes digits typed outside its field. */
export function Typing() {
  const [on, setOn] = useState(typesAnywhere)
  const keep = (next: boolean) => {
    setOn(next)
    keepTypesAnywhere(next)
  }
  return (
    <Section id="profile-keyboard" title={texts.keyboard} about={texts.aboutKeyboard}>
      <Switch on={on} onSwitch={keep}>
        {texts.typeAnywhere}
      </Switch>
    </Section>
  )
}
