import type { ReactNode } from 'react'
import { company } from '#lib/company.ts'
import { companyTexts } from '#lib/company-texts.ts'
import styles from './receipt.module.css'
import { texts } from './texts.ts'

export interface HeadProps {
  readonly vatNumber: string | null
  readonly children: ReactNode
}

const host = company.supportEmail.indexOf('@')

export function Head({ vatNumber, children }: HeadProps) {
  return (
    <header className={styles['head']}>
      <div>
        <p className={`display ${styles['name']}`}>{company.name}</p>
        <p className="small soft">
          {company.legalName}, {companyTexts.place}
          <br />
          <bdi>
            {company.supportEmail.slice(0, host)}
            <wbr />
            {company.supportEmail.slice(host)}
          </bdi>
          {vatNumber !== null && (
            <>
              <br />
              {texts.vatNumber({ number: vatNumber })}
            </>
          )}
        </p>
      </div>
      {children}
    </header>
  )
}
