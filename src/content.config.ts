/**
 * What editors write: one file per article, question and legal text. A file that breaks these rules stops
 * the build with its name and the field.
 */

import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { z } from 'astro/zod'
import { arts, inks } from './components/blog/engravings.ts'

/** A day: `2026-11-12`, with or without quotes. */
function day(error: string) {
  const written = z.iso.date().transform(text => new Date(text))
  return z.union([z.date(), written], { error })
}

/** Articles: `src/content/blog/<slug>.md` or `.mdx`; the file's name is the address. docs/editing.md shows one. */
const blog = defineCollection({
  loader: glob({ pattern: '[^_]*.{md,mdx}', base: './src/content/blog', retainBody: false }),
  schema: z
    .strictObject(
      {
        title: z
          .string({ error: 'write the title' })
          .min(1, { error: 'write the title' })
          .max(80, { error: 'shorten the title to 80 characters' }),
        /** For the list and for search engines. */
        description: z
          .string({ error: 'write one or two sentences, 50 to 160 characters' })
          .min(50, { error: 'write one or two sentences: at least 50 characters' })
          .max(160, { error: 'shorten it to 160 characters' }),
        publishedAt: day('write the day as 2026-11-12'),
        updatedAt: day('write the day as 2026-11-12, or leave the line out').optional(),
        tags: z
          .array(
            z.string({ error: 'write tags as words' }).regex(/^[a-z]+[a-z0-9]*(-[a-z0-9]+)*$/, {
              error: 'write tags in lower-case letters: time-zones',
            }),
            { error: 'write one to four tags: [time-zones, caller-id]' },
          )
          .min(1, { error: 'give it at least one tag' })
          .max(4, { error: 'give it at most four tags' }),
        /** The engraving on the stamp, from public/art, and its one ink. */
        art: z.enum(arts, { error: `choose one of ${arts.join(', ')}` }),
        ink: z.enum(inks, { error: `choose one of ${inks.join(', ')}` }),
        /** A draft is shown by `npm run dev` and left out of the build. */
        draft: z.boolean({ error: 'write true or false' }).default(false),
      },
      { error: unknownFields },
    )
    .refine(({ publishedAt, updatedAt }) => updatedAt === undefined || updatedAt >= publishedAt, {
      path: ['updatedAt'],
      error: 'is before publishedAt',
    }),
})

/** A misspelt field would be as good as left out: a misspelt `draft` would publish a draft. */
function unknownFields(issue: { readonly code?: string; readonly keys?: readonly string[] }) {
  return issue.code === 'unrecognized_keys' ? `no such field: ${issue.keys?.join(', ')}` : undefined
}

/** Questions: `src/content/faq/<name>.md`; the body is the answer, the file's name its anchor. */
const faq = defineCollection({
  loader: glob({ pattern: '**/[^_]*.md', base: './src/content/faq' }),
  schema: z.strictObject(
    {
      question: z.string().min(1).max(120),
      group: z.enum(['Calling', 'Credits and prices', 'Account', 'Sound']),
      /** Place within its group, ascending. */
      order: z.number().int(),
      /** Place among the few questions on the landing page; without it the question is not there. */
      landing: z.number().int().optional(),
      /** Words people use that the text does not. */
      keywords: z.array(z.string()).default([]),
    },
    { error: unknownFields },
  ),
})

/** Questions in another language: `src/languages/<tag>/faq/<name>.md`. Group, order and landing are those of the English file. */
const translatedFaq = defineCollection({
  loader: glob({
    pattern: '*/faq/*.md',
    base: './src/languages',
    generateId: ({ entry }) => entry.replace(/\.md$/, ''),
  }),
  schema: z.strictObject(
    { question: z.string().min(1).max(120), keywords: z.array(z.string()).default([]) },
    { error: unknownFields },
  ),
})

/**
 * Legal texts: `src/content/legal/<route>.md`; each second-level heading is a numbered section. `{{name}}` and
 * the like stand for facts (components/legal/facts.ts), a quotation for a point that is open for counsel:
 * `> To be confirmed by counsel before publication: …`.
 */
const legal = defineCollection({
  loader: glob({ pattern: '**/[^_]*.md', base: './src/content/legal', retainBody: false }),
  schema: z.strictObject(
    {
      description: z.string().min(50).max(160),
      lede: z.string().min(1),
      changedAt: z.coerce.date(),
    },
    { error: unknownFields },
  ),
})

export const collections = { blog, faq, translatedFaq, legal }
