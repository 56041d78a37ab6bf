/** Started by `embedded.ts`. Argument: where the database is to be. */
import { startPglite } from './embedded.ts'

const { pg } = await startPglite(String(process.argv[2]))
await pg.close()
