import { type SubmitEvent, useEffect, useState } from 'react'
import { heardAboutSources } from '#lib/api/profile.ts'
import { textOf } from '#ui/check.ts'
import { Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { Frank } from '#ui/Frank.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { Waves } from '#ui/Waves.tsx'
import styles from './heard-about.module.css'
import { answerHeardAbout, type HeardAboutSource, openHeardAbout, skipHeardAbout } from './heard-about.ts'
import { sources, texts } from './heard-about-texts.ts'

const choices = Object.keys(sources) as HeardAboutSource[]

function sourceIn(form: HTMLFormElement): HeardAboutSource | undefined {
  const chosen = textOf(form, 'source')
  return heardAboutSources.find(source => source === chosen)
}

export function HeardAbout() {
  const [chosen, setChosen] = useState<HeardAboutSource>()
  const [missing, setMissing] = useState(false)
  const formError = useFormError()
  const { slow, run } = useBusy()
  useEffect(() => {
    void openHeardAbout()
  }, [])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const source = sourceIn(form)
    setMissing(source === undefined)
    if (source === undefined) return form.querySelector<HTMLElement>('[name=source]')?.focus()
    const detail = textOf(form, 'detail').trim()
    run(async () => {
      formError.clear()
      const result = await answerHeardAbout(source, detail)
      if (result.ok) return 'keep'
      formError.showError(result)
      return 'done'
    })
  }

  return (
    <div className="gate">
      <div className="slip">
        <Frank />
        <form method="post" noValidate onSubmit={submit}>
          <h1>{texts.title}</h1>
          <p className="soft">{texts.text}</p>
          <fieldset
            className={`chips stack ${styles['choices']}`}
            aria-describedby={missing ? 'heard-about-fault' : undefined}
          >
            <legend className="sr">{texts.source}</legend>
            {choices.map(source => (
              <label key={source}>
                <input
                  className="sr"
                  type="radio"
                  name="source"
                  value={source}
                  onChange={() => {
                    setChosen(source)
                    setMissing(false)
                  }}
                />
                {sources[source]}
              </label>
            ))}
          </fieldset>
          {missing && (
            <p className="error" id="heard-about-fault" role="alert">
              {texts.missing}
            </p>
          )}
          {chosen === 'other' && (
            <Field id="heard-about-detail" label={texts.where} fault={null}>
              <input
                className="input"
                id="heard-about-detail"
                name="detail"
                maxLength={200}
                autoComplete="off"
              />
            </Field>
          )}
          <FormNote message={formError.message} waitSeconds={formError.waitSeconds} />
          <SubmitButton label={texts.submit} slowLabel={texts.saving} slow={slow} />
        </form>
        <p className="swap">
          <button type="button" className={styles['skip']} onClick={skipHeardAbout}>
            {texts.skip}
          </button>
        </p>
      </div>
      <Waves />
    </div>
  )
}
