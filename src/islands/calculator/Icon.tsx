/** Lucide icons, copied: the landing page loads them, and Lucide's renderer is larger than the calculator's logic. */
export function Icon({ path }: { readonly path: string }) {
  return (
    <svg className="i" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
