const steps = [
  ['Choose Country', 'Where is the phone you want to ring?'],
  ['Enter Number', 'Mobile or landline, as you would dial it there.'],
  ['Make Call', 'Press the green button. The first call is free.'],
] as const

export function Welcome() {
  return (
    <ol className="steps3">
      {steps.map(([name, what]) => (
        <li key={name}>
          <div>
            <b>{name}</b>
            <p className="soft small">{what}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
