import { useEffect, useState } from 'react'
import { minuteMs } from '#lib/time.ts'

/** The current time, updated every minute. */
export function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(
        () => {
          setNow(new Date())
          wait()
        },
        minuteMs - (Date.now() % minuteMs),
      )
    }
    wait()
    return () => clearTimeout(timer)
  }, [])
  return now
}
