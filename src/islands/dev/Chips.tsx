export interface ChipsProps<Value extends string> {
  readonly label: string
  readonly name: string
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly chosen: Value | null
  readonly onChoose: (value: Value) => void
}

export function Chips<Value extends string>({ label, name, choices, chosen, onChoose }: ChipsProps<Value>) {
  return (
    <div className="try2">
      <span className="label" id={`${name}-label`}>
        {label}
      </span>
      <div className="chips" role="radiogroup" aria-labelledby={`${name}-label`}>
        {choices.map(choice => (
          <label key={choice.value}>
            <input
              className="sr"
              type="radio"
              name={name}
              checked={choice.value === chosen}
              onChange={() => onChoose(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </div>
  )
}
