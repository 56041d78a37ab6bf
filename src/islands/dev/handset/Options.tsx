import { useStore } from '@nanostores/react'
import { set } from './handset.ts'
import { $handsetSettings } from './handset-settings.ts'

const whenItRings = [
  ['answer', 'I answer'],
  ['by_itself', 'Answer by itself after 3 s'],
  ['busy', 'Busy'],
  ['never', 'Never answer'],
] as const

const says = [
  ['microphone', 'My microphone'],
  ['voice', 'A recorded voice'],
  ['tone', '1 kHz tone'],
] as const

/** What the handset does with calls. A change keeps the claimed number. */
export function Options({ disabled = false }: { readonly disabled?: boolean }) {
  const settings = useStore($handsetSettings)
  return (
    <>
      <fieldset className="opts" disabled={disabled}>
        <legend className="label">When it rings</legend>
        {whenItRings.map(([value, choiceText]) => (
          <label key={value}>
            <input
              type="radio"
              name="when-it-rings"
              checked={settings.whenItRings === value}
              onChange={() => void set({ whenItRings: value })}
            />
            {choiceText}
          </label>
        ))}
      </fieldset>
      <fieldset className="opts" disabled={disabled}>
        <legend className="label">It says</legend>
        {says.map(([value, choiceText]) => (
          <label key={value}>
            <input
              type="radio"
              name="says"
              checked={settings.says === value}
              onChange={() => void set({ says: value })}
            />
            {choiceText}
          </label>
        ))}
      </fieldset>
    </>
  )
}
