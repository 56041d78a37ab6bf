import { useState } from 'react'
import type { Profile } from '#lib/api/profile.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { openProfile } from './profile.ts'
import { Section } from './Section.tsx'

export function DeleteAccount({ profile }: { readonly profile: Profile }) {
  const [asking, setAsking] = useState(false)
  const open = () => {
    setAsking(true)
    // Reload, because the dialog shows the balance that will be lost.
    void openProfile()
  }
  return (
    <Section
      id="profile-delete"
      title="Delete account"
      about="Contacts, history and remaining credits go with it. Receipts are kept as the law requires."
    >
      <button type="button" className="btn danger" aria-haspopup="dialog" onClick={open}>
        Delete account
      </button>
      {asking && <DeleteDialog profile={profile} onClose={() => setAsking(false)} />}
    </Section>
  )
}
