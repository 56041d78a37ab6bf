import { defineMiddleware } from 'astro:middleware'
import { renderPageAt } from '#layouts/page-language.ts'

/** Every text of a page is read in the language of its address. */
export const onRequest = defineMiddleware((context, next) => {
  renderPageAt(context.url.pathname)
  return next()
})
