import { useEffect, useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { useLate } from '#ui/use-late.ts'
import { cardTexts } from './card-texts.ts'
import styles from './share-call.module.css'
import { cardText, loadShareLink, type SharedCall, shareDataOf, shareText } from './share-call.ts'
import { drawCard } from './share-picture.ts'
import { texts } from './texts.ts'

export interface ShareCallDialogProps {
  readonly call: SharedCall
  readonly onClose: () => void
}

interface Card {
  readonly text: string
  /** The picture in words. */
  readonly alt: string
  readonly picture: File
  /** The picture as a URL. */
  readonly address: string
}

/** The card of a call: its picture, and what the browser can do with it. */
export function ShareCallDialog({ call, onClose }: ShareCallDialogProps) {
  const [card, setCard] = useState<Card | 'failed' | null>(null)
  const [said, setSaid] = useState('')
  const noticed = useLate(card === null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the call of an open dialog does not change
  useEffect(() => {
    makeCard(call).then(setCard, (error: unknown) => {
      console.error('The card could not be drawn.', error)
      setCard('failed')
    })
  }, [])

  if (card === null || card === 'failed')
    return (
      <Dialog title={texts.share} onClose={onClose}>
        <p className="soft" role={card === 'failed' ? 'alert' : 'status'}>
          {card === 'failed' ? cardTexts.failed : noticed && cardTexts.drawing}
        </p>
      </Dialog>
    )

  const { text, alt, picture, address } = card
  const data = shareDataOf(text, picture)
  const share = (what: ShareData) => {
    // A user who changes their mind closes the browser's own sheet.
    navigator.share(what).catch(() => undefined)
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid(cardTexts.copied)
    } catch {
      setSaid(cardTexts.copyFailed)
    }
  }
  return (
    <Dialog
      title={texts.share}
      onClose={onClose}
      footer={
        <>
          <button type="button" className={data === null ? 'btn primary' : 'btn'} onClick={() => void copy()}>
            {cardTexts.copy}
          </button>
          <a className="btn" href={address} download={picture.name}>
            {cardTexts.save}
          </a>
          {data !== null && (
            <button type="button" className="btn primary" onClick={() => share(data)}>
              {cardTexts.share}
            </button>
          )}
        </>
      }
    >
      <img className={styles['card']} src={address} width="540" height="720" alt={alt} />
      <textarea
        className={`input small ${styles['text']}`}
        rows={4}
        readOnly
        aria-label={cardTexts.text}
        value={text}
      />
      <p className="small soft">{cardTexts.privacy}</p>
      <p className="small" role="status">
        {said}
      </p>
    </Dialog>
  )
}

async function makeCard(call: SharedCall): Promise<Card> {
  const link = await loadShareLink()
  const { blob, address } = await drawCard(call, link.address)
  const picture = new File([blob], 'farline-call.png', { type: blob.type })
  return { text: shareText(call, link.address), alt: cardText(call, link), picture, address }
}
