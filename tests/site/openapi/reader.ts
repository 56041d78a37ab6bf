import { fromJSONSchema } from 'zod'
import type { OpenApiDocument } from '#lib/openapi/document.ts'
import type { JsonSchema } from '#lib/openapi/schema.ts'

type Written = Parameters<typeof fromJSONSchema>[0]

/** Checks values against a schema of the document, references followed, and no field beyond those that it lists. */
export function readerOf(document: OpenApiDocument, schema: JsonSchema) {
  const whole = JSON.parse(
    JSON.stringify({ ...schema, $defs: document.components.schemas })
      .replaceAll('#/components/schemas/', '#/$defs/')
      .replaceAll('"properties":', '"additionalProperties":false,"properties":'),
  ) as Written
  return fromJSONSchema(whole)
}
