import { useStore } from '@nanostores/react'
import { PhoneIncoming } from 'lucide-react'
import { useState } from 'react'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import { TestCallDialog } from './TestCallDialog.tsx'
import { $linkedTest, dismissLinkedTest } from './test-call.ts'
import { testCallTexts } from './test-call-texts.ts'

/** A free call to the caller ID, to see what it shows. @param number E.164; null while calls show the public number */
export function TestCall({ number }: { readonly number: string | null }) {
  const { format } = useStore($formatNumber)
  const linked = useStore($linkedTest)
  const [asking, setAsking] = useState(false)
  const called = linked ?? (asking ? number : null)
  return (
    <>
      {number !== null && (
        <button
          type="button"
          className="tap"
          aria-label={testCallTexts.callNumber({ number: format(number, '') })}
          title={testCallTexts.whatShows}
          aria-haspopup="dialog"
          onClick={() => setAsking(true)}
        >
          <PhoneIncoming className="i" aria-hidden="true" />
        </button>
      )}
      {called !== null && (
        <TestCallDialog
          number={called}
          onClose={() => {
            setAsking(false)
            dismissLinkedTest()
          }}
        />
      )}
    </>
  )
}
