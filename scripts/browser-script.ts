/**
 * `bun run browser-script` writes `src/http/web/assets/overdue.js.txt`, the script of the pages, from the TypeScript in
 * `src/http/web/browser/`. The result is kept in the repository, because transpiling at the start would cost a server three
 * megabytes of memory. A test fails while it is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dir, '../src/http/web')
const TARGET = join(WEB, 'assets/overdue.js.txt')

/** Each may use names of those before it. */
const FILES = [
  'words.ts',
  'announce.ts',
  'times.ts',
  'copy.ts',
  'toast.ts',
  'dialogs.ts',
  'keys.ts',
  'zone.ts',
  'live.ts',
]

const IMPORT = /^import\b.*$/gm
const EXPORT = /^export /gm

/** One classic script: the files in one scope of their own, without the imports between them. */
export function browserScript(): string {
  const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'browser', minifyWhitespace: true })
  const parts = FILES.map((file) => {
    const source = readFileSync(join(WEB, 'browser', file), 'utf8')
    return transpiler.transformSync(source.replace(IMPORT, '').replace(EXPORT, ''))
  })
  return `{${parts.join('\n')}}`
}

if (import.meta.main) writeFileSync(TARGET, browserScript())
