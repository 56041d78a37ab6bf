import { useStore } from '@nanostores/react'
import { BadgeDollarSign, Moon, Phone, Smartphone } from 'lucide-react'
import { localTimeOfNumber, timeText } from '#lib/numbers/local-time.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'
import { $contactNames } from '#shared/contacts.ts'
import { $phoneRules } from '#shared/numbers/phone-rules.ts'
import { useMinute } from '../contacts/use-minute.ts'
import { $paintedDial, $verdict } from './dial.ts'
import { entryTexts } from './entry-texts.ts'
import { $fault } from './follow-rejection.ts'
import numberStyles from './number.module.css'
import { $rate, type Rate } from './rate.ts'

type Callable = Extract<NumberVerdict, { readonly kind: 'ok' }>

function isAbout(rate: Rate, { e164 }: Callable): boolean {
  return (rate.kind === 'known' || rate.kind === 'estimate') && rate.number === e164
}

/** The rate if it is known and belongs to this number. */
function ownRate(rate: Rate, verdict: Callable): Extract<Rate, { readonly kind: 'known' }> | null {
  return rate.kind === 'known' && isAbout(rate, verdict) ? rate : null
}

/** The number in groups as it will be called, with its contact's name, or what is wrong with it. */
export function FormattedNumber() {
  const verdict = useStore($verdict)
  const rules = useStore($phoneRules)
  const dial = useStore($paintedDial)
  const fault = useStore($fault)
  const soFar = verdict?.kind === 'ok' ? null : (rules?.formatPartial(dial.typed, dial.country) ?? '\u00a0')
  return (
    <>
      {verdict?.kind === 'ok' ? (
        <Reached verdict={verdict} />
      ) : (
        fault === null && <bdi dir="ltr">{soFar}</bdi>
      )}
      <span className={fault === null ? 'sr' : numberStyles['amiss']} role="status">
        {fault}
      </span>
    </>
  )
}

function Reached({ verdict }: { readonly verdict: Callable }) {
  const rate = ownRate(useStore($rate), verdict)
  const name = useStore($contactNames).get(verdict.e164)
  const expensive = rate?.rateKind === 'special'
  const Icon = expensive ? BadgeDollarSign : verdict.type === 'mobile' ? Smartphone : Phone
  return (
    <>
      <Icon className="i" aria-hidden="true" />
      <span dir="ltr">{verdict.formatted}</span>
      {/* Behind the number, which would move when the contacts arrive. */}
      {name !== undefined && <bdi className={numberStyles['name']}>{name}</bdi>}
    </>
  )
}

export function NumberType() {
  const verdict = useStore($verdict)
  const rules = useStore($phoneRules)
  const rate = useStore($rate)
  if (verdict?.kind !== 'ok' || rules === null || !isAbout(rate, verdict)) return null
  const type = rules.numberTypeLabel(verdict.type, ownRate(rate, verdict)?.rateKind ?? null)
  return <span>{entryTexts.type({ type: type.toLowerCase() })}</span>
}

/** The time at the number's location, with a moon at night. */
export function LocalTime() {
  const verdict = useStore($verdict)
  const now = useMinute()
  const local = verdict?.kind === 'ok' ? localTimeOfNumber(verdict.e164, now, verdict.isoCode) : null
  if (local === null) return null
  const night = local.sleep !== 'awake'
  return (
    <>
      {night && <Moon className="i" aria-hidden="true" />}
      {timeText(local)}
      {night && <span className="sr">{entryTexts.night}</span>}
    </>
  )
}
