import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useRef } from 'react'
import { CloseButton, Modal } from '#ui/Modal.tsx'
import { ChooseCountry } from './ChooseCountry.tsx'
import { Confirmation } from './Confirmation.tsx'
import { EnterNumber } from './EnterNumber.tsx'
import styles from './tutorial.module.css'
import { mayGoOn, stepNumber, type TutorialStep, tutorialSteps } from './tutorial.ts'
import { Welcome } from './Welcome.tsx'
import { wizard } from './wizard.ts'

const titles: Readonly<Record<TutorialStep, string>> = {
  welcome: 'Your first call, in three steps',
  country: 'Which country?',
  number: 'What is the number?',
  confirmation: 'Ready to call',
}
const headingId = 'tutorial-title'

/** The first-call tutorial, in front of the dialler while the store says so. */
export function Tutorial() {
  const tutorial = useStore(wizard.$tutorial)
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
        <Heading key={step}>{titles[step]}</Heading>
        {step === 'welcome' && <Welcome />}
        {step === 'country' && <ChooseCountry chosen={tutorial.country} />}
        {step === 'number' && <EnterNumber phoneNumber={tutorial.phoneNumber} />}
        {step === 'confirmation' && <Confirmation country={tutorial.country} />}
      </form>
      <footer className={styles['footer']}>
        {step !== 'welcome' && (
          <button type="button" className="btn" onClick={wizard.back}>
            Back
          </button>
        )}
        <button type="submit" form="tutorial" className="btn primary" disabled={!mayGoOn(tutorial)}>
          {step === 'confirmation' ? 'Done' : 'Next'}
        </button>
        <button type="button" className={`btn plain small ${styles['skip']}`} onClick={wizard.dismiss}>
          Skip tutorial
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
        Step {at} of {tutorialSteps.length}
      </span>
      <div aria-hidden="true">
        {tutorialSteps.map((step, index) => (
          <i key={step} className={index < at ? 'done' : ''} />
        ))}
      </div>
    </div>
  )
}
