import { useStore } from '@nanostores/react'
import { currentLanguage } from '#lib/i18n/language.ts'
import { GrowingText } from '#ui/GrowingText.tsx'
import { captionTexts } from './caption-texts.ts'
import styles from './captions.module.css'
import { type CaptionLanguage, isShown, type ShownCaptions } from './captions.ts'
import { callCaptions } from './dialler-captions.ts'

/** The last phrases. No live region: read out, they would cover the callee's voice (ADR-73). */
export function CaptionLines({ captions }: { readonly captions: ShownCaptions }) {
  const { phrases, language } = captions
  return (
    <div>
      <GrowingText label={captionTexts.open} className={styles['lines']}>
        {phrases.map((phrase, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: phrases have no other name, and hold no state.
          <p key={index} lang={language} dir="auto">
            {phrase}
          </p>
        ))}
        {captions.state === 'on' && (
          <p className="soft" lang={language} dir="auto">
            {captions.interim || '\u00a0'}
          </p>
        )}
      </GrowingText>
      <p className="small">{stateText(captions)}</p>
    </div>
  )
}

/** Reads out what captions do besides their lines. There from the answer on: a newly inserted live region announces nothing. */
export function CaptionsStatus() {
  const captions = useStore(callCaptions.$captions)
  return (
    <p className="sr" role="status">
      {isShown(captions) && stateText(captions)}
    </p>
  )
}

/** Null while captions show what is said. */
function stateText(captions: ShownCaptions): string | null {
  const language = nameOf(captions.language)
  switch (captions.state) {
    case 'downloading':
      return captionTexts.downloading({ language })
    case 'failed':
      return captions.failure === 'download' ? captionTexts.notDownloaded({ language }) : captionTexts.stopped
    case 'on':
      return captions.phrases.length === 0 && captions.interim === '' ? captionTexts.listening : null
    default:
      return captions satisfies never
  }
}

/** In the language of the page. */
export function nameOf(language: CaptionLanguage): string {
  const { language: spoken } = new Intl.Locale(language)
  return new Intl.DisplayNames([currentLanguage()], { type: 'language' }).of(spoken) ?? spoken
}
