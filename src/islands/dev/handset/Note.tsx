import { CircleAlert, Info } from 'lucide-react'

export interface NoteProps {
  readonly tone: 'plain' | 'warn' | 'bad'
  readonly text: string
}

export function Note({ tone, text }: NoteProps) {
  const Icon = tone === 'plain' ? Info : CircleAlert
  return (
    <p className={`note ${tone === 'plain' ? '' : tone}`}>
      <Icon className="i" aria-hidden="true" />
      {text}
    </p>
  )
}
