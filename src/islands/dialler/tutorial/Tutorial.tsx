import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef } from 'react'
import type { Country } from '#lib/numbers/countries.ts'
import { CountrySearch } from '#ui/CountrySearch.tsx'
import { Flag } from '#ui/Flag.tsx'
import { CloseButton, Modal } from '#ui/Modal.tsx'
import { focusCountry } from '../number/focus.ts'
import { EnterNumber } from './EnterNumber.tsx'
import styles from './tutorial.module.css'
import { mayGoOn, stepNumber, tutorialSteps } from './tutorial.ts'
import { titleTexts, tutorialTexts } from './tutorial-texts.ts'
import { wizard } from './wizard.ts'

const headingId = 'tutorial-title'

export function Tutorial() {
  const tutorial = useStore(wizard.$tutorial)
  const shown = tutorial !== null
  // It opens by itself, so no button is there to give the focus back to.
  useEffect(() => {
    if (!shown) return
    return () => {
      if (document.activeElement === document.body) focusCountry()
    }
  }, [shown])
  if (tutorial === null) return null
  const { step } = tutorial
  const goOn = (event: SubmitEvent) => {
    event.preventDefault()
    wizard.next()
  }
  return (
    <Modal labelledBy={headingId} className={styles['modal'] ?? ''} onClose={wizard.dismiss}>
      <header className={styles['header']}>
        <Progress at={stepNumber(step)} />
        <CloseButton />
      </header>
      <form className="in" id="tutorial" onSubmit={goOn}>
        <Heading key={step}>{titleTexts[step]}</Heading>
        {step === 'welcome' && <Welcome />}
        {step === 'country' && <ChooseCountry chosen={tutorial.country} />}
        {step === 'number' && <EnterNumber phoneNumber={tutorial.phoneNumber} />}
        {step === 'confirmation' && <Confirmation country={tutorial.country} />}
      </form>
      <footer className={styles['footer']}>
        {step === 'confirmation' && (
          <button type="button" className={`btn call big ${styles['call']}`} onClick={wizard.call}>
            <Phone className="i" aria-hidden="true" />
            {tutorialTexts.call}
          </button>
        )}
        {step !== 'welcome' && (
          <button type="button" className="btn" onClick={wizard.back}>
            {tutorialTexts.back}
          </button>
        )}
        <button type="submit" form="tutorial" className="btn primary" disabled={!mayGoOn(tutorial)}>
          {step === 'confirmation' ? tutorialTexts.done : tutorialTexts.next}
        </button>
        <button type="button" className={`btn plain small ${styles['skip']}`} onClick={wizard.dismiss}>
          {tutorialTexts.skip}
        </button>
      </footer>
    </Modal>
  )
}

/** Focused when its step opens, so that the step is read out. Steps with a field focus the field instead. */
function Heading({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const within = heading.current?.parentElement
    if (!within?.querySelector('input')) heading.current?.focus()
  }, [])
  return (
    <h2 ref={heading} id={headingId} className={styles['heading']} tabIndex={-1}>
      {children}
    </h2>
  )
}

/** @param props.at step, from 1 */
function Progress({ at }: { readonly at: number }) {
  return (
    <div className={`progress ${styles['progress']}`}>
      <span className="num" role="status">
        {tutorialTexts.progress({ at, all: tutorialSteps.length })}
      </span>
      <div aria-hidden="true">
        {tutorialSteps.map((step, index) => (
          <i key={step} className={index < at ? 'done' : ''} />
        ))}
      </div>
    </div>
  )
}

function Welcome() {
  const welcomeSteps = [
    [tutorialTexts.chooseCountry, tutorialTexts.whichCountry],
    [tutorialTexts.enterNumber, tutorialTexts.whichNumber],
    [tutorialTexts.makeCall, tutorialTexts.howToCall],
  ] as const
  return (
    <ol className="steps3">
      {welcomeSteps.map(([name, what]) => (
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

function ChooseCountry({ chosen }: { readonly chosen: Country }) {
  return (
    <>
      <CountrySearch
        chosen={chosen}
        choosesOnly
        onChoose={wizard.chooseCountry}
        className={styles['countries'] ?? ''}
      />
      <p className="small" role="status">
        <span className="soft">{tutorialTexts.selected}</span>{' '}
        <b>
          <span aria-hidden="true">{chosen.emoji}</span> {chosen.name} <bdi dir="ltr">{chosen.dialCode}</bdi>
        </b>
      </p>
    </>
  )
}

/** Repeats the number, country and flag, and says what Done does. */
function Confirmation({ country }: { readonly country: Country }) {
  const fullNumber = useStore(wizard.$fullNumber)
  return (
    <>
      <div className={styles['confirmation']}>
        <Flag isoCode={country.isoCode} emoji={country.emoji} size={64} />
        <p className="bignum num" dir="ltr">
          {fullNumber}
        </p>
        <p>{country.name}</p>
      </div>
      <p>{tutorialTexts.confirmation}</p>
    </>
  )
}
