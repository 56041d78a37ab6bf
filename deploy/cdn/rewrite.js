// The one rule by which addresses become files of the exported site, as a CloudFront Function (viewer request); other
// CDNs have a place for the same few lines. What is not there is 404.html with status 404.

/** @param {string} path of an address, without its query */
function fileOf(path) {
  // What follows is a secret that the page's script alone reads. In any language.
  const reset = /^((?:\/[\w-]+)?\/reset-password)\//.exec(path)
  if (reset) return `${reset[1]}.html`
  if (path === '/') return '/index.html'
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.includes('.') ? path : `${path}.html`
}

// biome-ignore lint/correctness/noUnusedVariables: called by the CDN.
function handler(event) {
  const request = event.request
  request.uri = fileOf(request.uri)
  return request
}
