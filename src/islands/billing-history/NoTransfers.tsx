export function NoTransfers() {
  return (
    <div className="none">
      <div className="stamp" aria-hidden="true">
        <div className="plate k">
          <img src="/art/pillar.svg" alt="" width="200" height="200" />
        </div>
      </div>
      <div>
        <h2>No payments yet</h2>
        <p className="soft">Each purchase leaves a receipt here, ready to print.</p>
        <div className="go">
          <a className="btn primary" href="/buy-credits">
            Buy Credits
          </a>
        </div>
      </div>
    </div>
  )
}
