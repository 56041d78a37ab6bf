/**
 * What editors write: one file per article, question and legal text. A file that breaks these rules stops
 * the build with its name and the field.
 */

import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { z } from 'astro/zod'

/** Articles: `src/content/blog/<slug>.md` or `.mdx`; the file's name is the address. */
const blog = defineCollection({
  loader: glob({ pattern: '**/[^_]*.{md,mdx}', base: './src/content/blog', retainBody: false }),
  schema: z.object({
    title: z.string().min(1).max(80),
    /** One or two sentences, for the list and for search engines. */
    description: z.string().min(50).max(160),
    publishedAt: z.coerce.date(),
    updatedAt: z.coerce.date().optional(),
    tags: z
      .array(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/))
      .min(1)
      .max(4),
    /** The engraving on the stamp, from public/art, and its one ink. */
    art: z.enum(['globe', 'dial', 'pillar', 'telephone', 'wires']),
    ink: z.enum(['blue', 'red', 'black']),
    /** A draft is shown by `npm run dev` and left out of the build. */
    draft: z.boolean().default(false),
  }),
})

/** Questions: `src/content/faq/<name>.md`; the body is the answer, the file's name its anchor. */
const faq = defineCollection({
  loader: glob({ pattern: '**/[^_]*.md', base: './src/content/faq' }),
  schema: z.object({
    question: z.string().min(1).max(120),
    group: z.enum(['Calling', 'Credits and prices', 'Account', 'Sound']),
    /** Place within its group, ascending. */
    order: z.number().int(),
    /** Place among the few questions on the landing page; without it the question is not there. */
    landing: z.number().int().optional(),
    /** Words people use that the text does not. */
    keywords: z.array(z.string()).default([]),
  }),
})

/** Legal texts: `src/content/legal/<route>.md`; each second-level heading is a numbered section. */
const legal = defineCollection({
  loader: glob({ pattern: '**/[^_]*.md', base: './src/content/legal', retainBody: false }),
  schema: z.object({
    title: z.string().min(1).max(80),
    description: z.string().min(50).max(160),
    lede: z.string().min(1),
    changedAt: z.coerce.date(),
  }),
})

export const collections = { blog, faq, legal }
