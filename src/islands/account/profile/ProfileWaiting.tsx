import { useLate } from '#ui/use-late.ts'
import styles from './profile.module.css'
import { texts } from './texts.ts'

export function ProfileWaiting() {
  const noticed = useLate()
  return (
    <>
      <p className="sr" role="status">
        {noticed && texts.loading}
      </p>
      {noticed && (
        <div aria-hidden="true">
          <div className={`idcard ${styles['blank']}`}>
            <div className={`skel ${styles['address']}`}>
              <i className={styles['second']} />
              <i className={styles['first']} />
              <i className={styles['first']} />
            </div>
          </div>
          {[0, 1, 2].map(part => (
            <div key={part} className="formset">
              <div className="skel">
                <i className={styles['second']} />
                <i className={styles['first']} />
              </div>
              <div className={`skel ${styles['fields']}`}>
                <i />
                <i />
              </div>
            </div>
          ))}
        </div>
      )}
    </>
  )
}
