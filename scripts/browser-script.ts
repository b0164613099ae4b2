/**
 * `bun run browser-script` writes `src/http/web/assets/overdue.js.txt`, the script of the pages, from the TypeScript in
 * `src/http/web/browser/`. The result is kept in the repository, because bundling at the start would cost a server
 * megabytes of memory. A test fails while it is out of date.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dir, '../src/http/web')
const TARGET = join(WEB, 'assets/overdue.js.txt')

/** One classic script in a scope of its own. @throws AggregateError when a file can't be read as TypeScript */
export async function browserScript(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(WEB, 'browser/index.ts')],
    target: 'browser',
    format: 'iife',
    minify: { whitespace: true },
  })
  return (await Promise.all(outputs.map((output) => output.text()))).join('')
}

if (import.meta.main) writeFileSync(TARGET, await browserScript())
