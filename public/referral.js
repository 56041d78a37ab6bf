// Sets `referralValue`: the code of whoever referred this visitor, from the last link with `?ref=`, for 60 days.
;(() => {
  const keptMs = 60 * 24 * 3600 * 1000
  const key = 'referral'
  const code = /^[\w-]{1,100}$/
  const linked = new URLSearchParams(location.search).get('ref') ?? ''
  if (code.test(linked)) globalThis.referralValue = linked
  try {
    if (code.test(linked))
      localStorage.setItem(key, JSON.stringify({ code: linked, untilMs: Date.now() + keptMs }))
    const kept = JSON.parse(localStorage.getItem(key))
    if (kept?.untilMs > Date.now() && code.test(kept.code)) globalThis.referralValue ??= kept.code
    else localStorage.removeItem(key)
  } catch {
    // Storage is blocked, or something else wrote there: the link counts on this page alone.
  }
})()
