import { texts } from './verify-email-texts.ts'

export function VerifyingMark() {
  return (
    <svg className="postmark mark turning" viewBox="0 0 152 152" aria-hidden="true">
      <circle cx="76" cy="76" r="73" />
      <circle cx="76" cy="76" r="49" />
      <path id="verifying-ring" d="M76 133a57 57 0 1 1 .1 0" stroke="none" />
      <text>
        <textPath href="#verifying-ring" textLength="352" lengthAdjust="spacing">
          {texts.ring}
        </textPath>
      </text>
      <path d="M50 60h52v34H50zM50 60l26 19 26-19" strokeWidth="2.5" strokeLinejoin="round" />
    </svg>
  )
}

export function EnvelopeMark() {
  return (
    <svg className="postmark mark" viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="38" />
      <path d="M30 38h40v26H30zM30 38l20 15 20-15" strokeWidth="2.5" strokeLinejoin="round" />
    </svg>
  )
}
