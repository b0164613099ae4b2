/**
 * The script of the pages, from the TypeScript in `browser/`. It is imported as a macro, so it is made when this program is
 * transpiled: an executable contains the result and needs no source.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
    const source = readFileSync(join(import.meta.dir, '../browser', file), 'utf8')
    return transpiler.transformSync(source.replace(IMPORT, '').replace(EXPORT, ''))
  })
  return `{${parts.join('\n')}}`
}
