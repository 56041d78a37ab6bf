import styles from './contacts.module.css'
import type { ImportPlan } from './import-plan.ts'
import { importTexts } from './import-texts.ts'

/** The contacts that can be saved, and those that can't with their reasons. */
export function ImportLists({ plan: { ready, faults } }: { readonly plan: ImportPlan }) {
  return (
    <>
      {ready.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <ul className={`rows ${styles.ready}`} aria-label={importTexts.readyList} tabIndex={0}>
          {ready.map(({ e164, name, formatted }) => (
            <li key={e164} className={styles.contact}>
              <div>
                <b>
                  <bdi>{name}</bdi>
                </b>
                <small className="num">
                  <bdi>{formatted}</bdi>
                </small>
              </div>
            </li>
          ))}
        </ul>
      )}
      {faults.length > 0 && (
        <section>
          <h3>{importTexts.leftOutList}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
          <ul className={styles.faults} aria-label={importTexts.leftOutList} tabIndex={0}>
            {faults.map(({ of, message }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice.
              <li key={place}>
                <bdi>{of}</bdi>: <span className="soft">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
