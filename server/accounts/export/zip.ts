import { Zip, ZipDeflate } from 'fflate'

export interface ZippedFile {
  readonly name: string
  readonly content: AsyncIterable<string>
}

/** Streams files as a zip; holds at most one chunk of one file. @param at modification time of the files */
export async function* zipOf(files: Iterable<ZippedFile>, at: Date): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  const encoder = new TextEncoder()
  for (const { name, content } of files) {
    const entry = new ZipDeflate(name)
    entry.mtime = at
    zip.add(entry)
    for await (const text of content) {
      entry.push(encoder.encode(text))
      yield* made.splice(0)
    }
    entry.push(new Uint8Array(), true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made.splice(0)
}
